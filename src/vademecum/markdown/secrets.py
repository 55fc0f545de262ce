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


# Rule, signs of which one stands in all that it finds, and its pattern. The signs spare nearly
# every text the patterns: compiling and running them takes longer than writing an entry.
_PREFIXES: tuple[tuple[str, str, str], ...] = (
    ("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("openai-project-key", "sk-", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}"),
    ("openrouter-key", "sk-or-v1-", r"sk-or-v1-[0-9a-f]{32,}"),
    ("openai-key", "sk-", r"sk-[A-Za-z0-9]{32,}"),
    ("aws-access-key-id", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,}"),
    ("github-fine-grained-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{50,}"),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_.-]{20,}",
    ),
    ("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    ("google-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,}"),
    ("google-oauth-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    ("slack-token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("slack-app-token", "xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[A-Za-z0-9]+"),
    (
        "slack-webhook",
        "//hooks.slack.com/",
        r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9+/]{40,}",
    ),
    ("stripe-key", "k_live_ k_test_ k_prod_", r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    ("twilio-key", "SK", r"SK[0-9a-f]{32}"),
    ("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}"),
    ("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    ("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    ("digitalocean-token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    ("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("databricks-token", "dapi", r"dapi[0-9a-f]{32}"),
    ("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    ("telegram-bot-token", ":AA", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion-token", "ntn_ secret_", r"(?:ntn_|secret_)[A-Za-z0-9]{40,}"),
    ("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    ("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37,}"),
    ("voyage-key", "pa-", r"pa-[A-Za-z0-9_-]{40,}"),
    ("atlassian-token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{50,}"),
    ("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("json-web-token", "eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
)

_SHAPES: tuple[tuple[str, str, str], ...] = (
    (
        "private-key",
        "-----BEGIN",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:(?!-----BEGIN)[\s\S])*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?",
    ),
    ("url-password", "://", r"[a-z][a-z0-9+.-]{0,20}://[^\s/:@]+:(?P<value>[^\s/@]{3,})@[^\s/]+"),
    (
        "aws-secret-access-key",
        "aws",
        r"(?i:aws.{0,20}secret.{0,20})[\"'\s:=]{1,4}(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    (
        "bearer-token",
        "author",
        r"(?i:authorization\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)(?P<value>[A-Za-z0-9._~+/=-]{16,})",
    ),
    (  # without the name of its header a token has to look like one: long, a letter and a digit
        "bearer-token",
        "bearer",
        r"(?i:(?<![A-Za-z])bearer\s+)"
        r"(?P<value>(?=[^\s\d]*\d)(?=[^\sA-Za-z]*[A-Za-z])[A-Za-z0-9._~+=-]{24,})(?![A-Za-z0-9/])",
    ),
    (
        "curl-password",
        "curl",
        r"(?i:curl)\b[^\n]{0,200}?\s(?:-[A-Za-z]{0,8}u|--user)[ =]?"
        r"[\"']?[^\s:\"'/]{1,100}:(?P<value>[^\s\"'$][^\s\"']{5,})",
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


_UNSEEN = later(r"[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]")

# Without letters whose other cases only folding would tell: where case is ignored, ı is an i.
_PROSE_SIGNS = (
    *("pass", "pwd", "key", "token", "secret", "credent", "kennwort", "contrase"),
    *("密码", "口令", "密钥", "パスワード", "暗証番号", "비밀번호"),
)


@cache
def _rules() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    bounded = ((rule, signs, rf"(?<![A-Za-z0-9_-])(?:{body})") for rule, signs, body in _PREFIXES)
    return tuple(
        (rule, tuple(signs.split()), later(body)) for rule, signs, body in (*bounded, *_SHAPES)
    )


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the credentials in `text`, in order, none overlapping another.

    Signs of no width between their characters hide none.
    """
    if _UNSEEN.search(text):
        places = [at for at, sign in enumerate(text) if not _UNSEEN.match(sign)]
        seen = find_secrets("".join(text[at] for at in places))
        return tuple(
            Secret(secret.rule, places[secret.start], places[secret.end - 1] + 1) for secret in seen
        )
    found: list[Secret] = []
    for secret in sorted(_all_matches(text), key=lambda each: (each.start, -each.end)):
        if not found or secret.start >= found[-1].end:
            found.append(secret)
    return tuple(found)


def _all_matches(text: str) -> Iterator[Secret]:
    folded = text.casefold()
    for rule, signs, pattern in _rules():
        if not any(sign in text or sign in folded for sign in signs):
            continue
        for match in pattern.finditer(text):
            group = "value" if "value" in pattern.groupindex else 0
            if group == 0 or not _PLACEHOLDER.match(match[group]):
                yield Secret(rule, *match.span(group))
    if not any(sign in folded for sign in _PROSE_SIGNS):
        return
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
