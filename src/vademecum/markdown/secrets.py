"""Credentials in text: named rules that find them, so that no verb stores one.

Prefix rules follow the formats that vendors publish for their tokens; one rule covers passwords in
prose. There is no entropy rule: hashes, UUIDs and identifiers are what notes are full of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a credential stands in a text (character offsets) and which rule says so."""

    rule: str
    start: int
    end: int


_PREFIXES: tuple[tuple[str, str], ...] = (
    ("anthropic-key", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("openai-project-key", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}"),
    ("openrouter-key", r"sk-or-v1-[0-9a-f]{32,}"),
    ("openai-key", r"sk-[A-Za-z0-9]{32,}"),
    ("aws-access-key-id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("github-token", r"gh[pousr]_[A-Za-z0-9]{36,}"),
    ("github-fine-grained-token", r"github_pat_[A-Za-z0-9_]{50,}"),
    ("gitlab-token", r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_.-]{20,}"),
    ("google-api-key", r"AIza[A-Za-z0-9_-]{35}"),
    ("google-oauth-token", r"ya29\.[A-Za-z0-9_-]{30,}"),
    ("google-oauth-secret", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    ("slack-token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("slack-app-token", r"xapp-\d-[A-Z0-9]+-\d+-[A-Za-z0-9]+"),
    ("slack-webhook", r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9+/]{40,}"),
    ("stripe-key", r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    ("twilio-key", r"SK[0-9a-f]{32}"),
    ("sendgrid-key", r"SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}"),
    ("npm-token", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    ("huggingface-token", r"hf_[A-Za-z0-9]{30,}"),
    ("digitalocean-token", r"do[opr]_v1_[0-9a-f]{64}"),
    ("shopify-token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("databricks-token", r"dapi[0-9a-f]{32}"),
    ("vault-token", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    ("telegram-bot-token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("linear-key", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion-token", r"(?:ntn_|secret_)[A-Za-z0-9]{40,}"),
    ("groq-key", r"gsk_[A-Za-z0-9]{40,}"),
    ("replicate-token", r"r8_[A-Za-z0-9]{37,}"),
    ("voyage-key", r"pa-[A-Za-z0-9_-]{40,}"),
    ("atlassian-token", r"ATATT3[A-Za-z0-9_=-]{50,}"),
    ("age-secret-key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("json-web-token", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
)

_SHAPES: tuple[tuple[str, str], ...] = (
    (
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[\s\S]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?",
    ),
    ("url-password", r"[a-z][a-z0-9+.-]*://[^\s/:@]+:(?P<value>[^\s/@]{3,})@[^\s/]+"),
    (
        "aws-secret-access-key",
        r"(?i:aws.{0,20}secret.{0,20})[\"'\s:=]{1,4}(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    (
        "bearer-token",
        r"(?i:authorization\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)(?P<value>[A-Za-z0-9._~+/=-]{16,})",
    ),
)

# The word that names a credential, then a verb or sign, then one word that looks like a value.
_NAMES = (
    r"(?:pass(?:word|phrase|code|wd)?|pwd|api[ _-]?key|secret[ _-]?key|access[ _-]?token"
    r"|auth[ _-]?token|client[ _-]?secret|credentials?|kennwort|passwort|contraseña|mot de passe"
    r"|密码|口令|密钥|パスワード|暗証番号|비밀번호)"
)
_IS = (
    r"(?:\s*(?::|=|：|→|->)\s*|\s+(?:is|are|was|ist|lautet|es|est)\s+(?:now\s+)?"
    r"|\s*(?:是|为|は|は、|는|은)\s*)"
)
_PROSE = later(
    rf"(?i:(?<![A-Za-z]){_NAMES}(?:\s+(?:for|to|of|für|de)\s+[^\s:=]+(?:\s+[^\s:=]+){{0,2}})?{_IS})"
    r"[\"'`“‘「]?(?P<value>[^\s\"'`”’」，。,;]{4,})"
)
_VALUE = later(r"(?=.*[A-Za-z])(?=.*[\d!@#$%^&*+=?~_\-])[\x21-\x7e]{6,}$")
_PLACEHOLDER = later(
    r"(?i)^(?:[<\[{$%].*|\*+|x{3,}|\.{3,}|.*(?:redacted|example|placeholder|your[_-]).*|\d{4}-\d{2}-\d{2}.*"
    r"|[a-z]+(?:-[a-z]+)+[.!]?)$"
)


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    bounded = ((rule, rf"(?<![A-Za-z0-9_-])(?:{body})") for rule, body in _PREFIXES)
    return tuple((rule, later(body)) for rule, body in (*bounded, *_SHAPES))


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the credentials in `text`, in order, none overlapping another."""
    found: list[Secret] = []
    for secret in sorted(_all_matches(text), key=lambda each: (each.start, -each.end)):
        if not found or secret.start >= found[-1].end:
            found.append(secret)
    return tuple(found)


def _all_matches(text: str) -> Iterator[Secret]:
    for rule, pattern in _compiled():
        for match in pattern.finditer(text):
            group = "value" if "value" in pattern.groupindex else 0
            if group == 0 or not _PLACEHOLDER.match(match[group]):
                yield Secret(rule, *match.span(group))
    for match in _PROSE.finditer(text):
        value = match["value"].rstrip(".!?)")
        if _VALUE.match(value) and not _PLACEHOLDER.match(value):
            start = match.start("value")
            yield Secret("password-in-prose", start, start + len(value))


def redact(text: str) -> str:
    """Return `text` with each credential replaced by `[redacted: RULE]`."""
    pieces: list[str] = []
    position = 0
    for secret in find_secrets(text):
        pieces += [text[position : secret.start], f"[redacted: {secret.rule}]"]
        position = secret.end
    return "".join([*pieces, text[position:]])
