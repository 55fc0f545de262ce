"""Credentials are found by named rules; what notes are full of is not taken for one."""

import pytest

from vademecum.markdown.secrets import find_secrets, redact

# Put together at run time, so that no scanner takes this file for a leak.
FILL = "aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF0x" * 4
HEX = "0123456789abcdef" * 5
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

TOKENS = {
    "anthropic-key": "sk-" + "ant-" + FILL[:40],
    "openai-project-key": "sk-" + "proj-" + FILL[:40],
    "openrouter-key": "sk-" + "or-v1-" + HEX[:64],
    "openai-key": "sk-" + FILL[:48],
    "aws-access-key-id": "AK" + "IA" + UPPER[:16],
    "github-token": "gh" + "p_" + FILL[:36],
    "github-fine-grained-token": "github" + "_pat_" + FILL[:82],
    "gitlab-token": "gl" + "pat-" + FILL[:20],
    "google-api-key": "AI" + "za" + FILL[:35],
    "slack-token": "xo" + "xb-" + "1234567890-" + FILL[:24],
    "stripe-key": "sk" + "_live_" + FILL[:24],
    "sendgrid-key": "SG" + "." + FILL[:22] + "." + FILL[:43],
    "npm-token": "np" + "m_" + FILL[:36],
    "pypi-token": "pypi" + "-AgE" + FILL[:60],
    "huggingface-token": "h" + "f_" + FILL[:34],
    "digitalocean-token": "do" + "p_v1_" + HEX[:64],
    "databricks-token": "da" + "pi" + HEX[:32],
    "vault-token": "hv" + "s." + FILL[:30],
    "telegram-bot-token": "123456789" + ":AA" + FILL[:33],
    "groq-key": "gs" + "k_" + FILL[:52],
    "json-web-token": "ey" + "J" + FILL[:20] + ".ey" + "J" + FILL[:30] + "." + FILL[:30],
    "private-key": "-----BEGIN OPENSSH "
    + "PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----",
    "url-password": "postgres://app:" + "hunter2x@db.internal/main",
}

PROSE = (
    "The admin password is Tr0ub4dor&3 for now",
    "password for the staging box: correct-h0rse!",
    "API key = zz91kd03mmalq",
    "Das Passwort lautet Sommer2026!",
    "数据库密码是 Qwerty12345!",
    "パスワードは Sakura2026! です",
)

HARMLESS = (
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "password: <your-password>",
    "the password is stored in the vault",
    "The password policy is annual-rotation",
    "We rotate the API key every 90 days",
    "password = ********",
    "密码是一个问题",
    "see https://example.org/a:b@c/ and mail a@b.org",
    "sk-learn is a library; ghp_ is a prefix",
    "the access token is valid until 2026-12-01",
)


@pytest.mark.req("B-04")
@pytest.mark.parametrize("rule", sorted(TOKENS))
def test_each_vendor_format_is_named(rule: str) -> None:
    text = f"Use {TOKENS[rule]} to deploy."
    assert [secret.rule for secret in find_secrets(text)] == [rule]


@pytest.mark.req("B-04")
@pytest.mark.parametrize("text", PROSE)
def test_a_password_told_in_prose_is_found_in_several_languages(text: str) -> None:
    assert [secret.rule for secret in find_secrets(text)] == ["password-in-prose"]


@pytest.mark.req("B-04")
@pytest.mark.parametrize("text", HARMLESS)
def test_hashes_placeholders_and_talk_about_passwords_pass(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.req("B-04")
def test_redaction_keeps_the_sentence_and_drops_every_character_of_the_secret() -> None:
    text = f"Deploy with {TOKENS['github-token']}, then restart; password: hunter2!x"
    assert redact(text) == (
        "Deploy with [redacted: github-token], then restart; "
        "password: [redacted: password-in-prose]"
    )


@pytest.mark.req("B-04")
@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u2060", "\ufeff"])
def test_a_sign_of_no_width_inside_of_a_secret_does_not_hide_it(sign: str) -> None:
    token = TOKENS["github-token"]
    text = f"Use {token[:4]}{sign}{token[4:9]}{sign}{token[9:]} now."
    assert [secret.rule for secret in find_secrets(text)] == ["github-token"]
    assert redact(text) == "Use [redacted: github-token] now."


@pytest.mark.req("B-04", "W-01")
@pytest.mark.parametrize(
    "text",
    [
        "w" * 1_000_000 + "://",
        "a-" * 500_000 + "://",
        "a://" * 250_000,
        "-----BEGIN PRIVATE KEY-----\n" * 40_000,
        ("password" + " " * 30) * 25_000,
        "author aws authorization " * 40_000,
    ],
)
def test_a_million_characters_of_anything_are_looked_through_in_one_pass(text: str) -> None:
    # Looking back and forth from each character instead would take hours, not a moment.
    assert len(find_secrets(text)) in (0, 40_000)


@pytest.mark.req("B-04")
def test_a_long_private_key_is_left_out_to_its_last_line() -> None:
    body = ("A" * 64 + "\n") * 2_000
    key = f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n{body}-----END PGP PRIVATE KEY BLOCK-----"
    assert redact(f"before {key} after") == "before [redacted: private-key] after"


@pytest.mark.req("B-04")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"It wants Bearer {HEX[:32]} there", HEX[:32]),
        (f"curl -su admin:{FILL[:12]} https://example.org", FILL[:12]),
        (f"curl -X POST --user 'ci:{FILL[:12]}' https://example.org", FILL[:12]),
    ],
)
def test_what_is_shown_to_a_server_is_found_in_a_command(text: str, value: str) -> None:
    assert [text[one.start : one.end] for one in find_secrets(text)] == [value]


@pytest.mark.req("B-04")
@pytest.mark.parametrize(
    "text",
    [
        "Bearer tokens last an hour; the bearer authentication-middleware-of-the-gateway checks",
        "see bearer docs/decisions/012-token-format.md",
        "docker run -u 1000:1000000 image",
        "curl -u $NAME:$PASS https://example.org",
    ],
)
def test_what_only_looks_like_such_a_command_is_left(text: str) -> None:
    assert find_secrets(text) == ()
