"""The door of every verb that writes: what no note may hold is refused here, by name."""

from __future__ import annotations

from vademecum.core.errors import InvalidText, Refused, SecretFound
from vademecum.markdown.recalled import holds_claim_line, is_recall_output
from vademecum.markdown.secrets import find_secrets
from vademecum.markdown.secrets import redact as without_secrets
from vademecum.writing.signing import check_text

_ELSEWHERE = "Keep it in a secret store and write where it is kept"
LONGEST_CLAIM = 1500
"""Characters of one claim; what is longer is an event for the log or several claims."""


def guarded(text: str, what: str, *, redact: bool | None = False) -> str:
    """Return `text` with `\\n` as its line ends, once a note may hold it.

    With `redact`, credentials are replaced by the names of the rules that found them; None says
    that the verb does not offer it. Raises InvalidText, and SecretFound naming the rules, never
    the text.
    """
    text = check_text(text, what)
    secrets = find_secrets(text)
    if not secrets:
        return text
    if redact:
        return without_secrets(text)
    rules = ", ".join(dict.fromkeys(secret.rule for secret in secrets))
    raise SecretFound(
        f"{what} holds what looks like a credential ({rules}), so nothing was written.",
        hint=_ELSEWHERE + ("." if redact is None else "; --redact writes it without."),
    )


def check_edit(before: str, after: str, what: str) -> None:
    """Raise SecretFound when `after` holds a credential that `before` did not."""
    held = {before[secret.start : secret.end] for secret in find_secrets(before)}
    if any(after[secret.start : secret.end] not in held for secret in find_secrets(after)):
        guarded(after, what, redact=None)


def guarded_claim(text: str, *, redact: bool = False) -> str:
    """Return the text of a claim on one line, such that it reads back from its note unchanged.

    Raises InvalidText, SecretFound, and Refused for what recall itself returned.
    """
    if is_recall_output(text) or holds_claim_line(text):
        raise Refused(
            "The text is what recall returned: memory is no evidence for itself.",
            hint="Remember what a person said or a tool showed, and cite that.",
        )
    text = " ".join(guarded(text, "The claim", redact=redact).split())
    if len(text) > LONGEST_CLAIM:
        raise InvalidText(
            f"The claim has {len(text):,} characters; one claim has at most {LONGEST_CLAIM:,}.",
            hint="Say it in one sentence, or log it: vade log TEXT.",
        )
    # These two would be read as a strike and as a comment.
    return text.replace("~~", "~\\~").replace("<!--", "<\\!--")
