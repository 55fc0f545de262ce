"""The mark that recall puts on what it returns, so that it is never taken for evidence."""

from __future__ import annotations

import re

from vademecum.core.patterns import later

RECALL_MARK = "<!-- vade:recall -->"
"""The first line of every bundle that recall renders as text."""
RECALL_END = "<!-- /vade:recall -->"
"""The last line of a block that is put into a conversation, so that it can be taken out again."""

# Also as the first value of a JSON object: hosts show a model the JSON of a tool's answer. Some
# escape what they put into a window.
_OPENS = r'^[ \t>#*+`-]*(?:\{\s*)?(?:"\w+"\s*:\s*")?(?:<|&lt;)!--[ \t]*vade:recall\b'
_ENDS = r'(?:<|&lt;)!--[ \t]*/vade:recall[ \t]*--(?:>|&gt;)(?:"\s*\})?\n?'
_MARK = later(_OPENS, re.MULTILINE)
_BLOCK = later(rf"{_OPENS}.*?(?:{_ENDS}|\Z)", re.MULTILINE | re.DOTALL)
_ANY_MARK = later(r"vade:recall\b")


# What commands print: the citation of a source, the last line of an answer, its JSON.
_PRINTED = later(
    r"^[ \t>]*\d+  \S.*?\.\w+:\d+(?:-\d+)?(?:  .*)?$\n"
    r"|^[ \t>]*\d+ (?:sources?|hits?), level L[123],"
    r'|"provenance"\s*:\s*"(?:stated|observed|inferred|suggested|unknown)"',
    re.MULTILINE,
)
_LINE = later(
    r"^[ \t>*+-]*(?:~~)?\[(?:stated|observed|inferred|suggested)\][ \t]"
    r".*[ \t]\^[A-Za-z0-9-]{4,}[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)


def is_recall_output(text: str) -> bool:
    """Whether `text` holds what recall returned: memory repeating itself, which proves nothing.

    It is told by the mark of a bundle, or by the form in which commands print an answer.
    """
    return bool(_MARK.search(text) or _PRINTED.search(text))


def holds_claim_line(text: str) -> bool:
    """Whether `text` holds the line of a claim, tag and block id included, as notes have it."""
    return bool(_LINE.search(text))


def marked(body: str, event: str) -> str:
    """Return `body` as a block that memory puts into a conversation at `event`.

    Marks inside of `body` are defused, so that no note can end the block early.
    """
    inner = _ANY_MARK.sub("vade-recall", body).strip("\n")
    return f"<!-- vade:recall {event} -->\n{inner}\n{RECALL_END}"


def without_recalled(text: str) -> str:
    """Return `text` without the blocks that memory put into it.

    What begins with a mark and has no end is taken out to the end of the text.
    """
    return _BLOCK.sub("", text) if "vade:recall" in text else text
