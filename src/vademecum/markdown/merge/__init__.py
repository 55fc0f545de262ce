"""Merging memory: what two sides made of one file, so that nothing is lost and nothing revived.

Claims are merged one by one, by block id, else by their words: struck beats live, the newer that a
person stated beats the older, anything else stays on both sides and is marked as a conflict. Logs
are every entry of both once, ordered by time. Maps are merged by link. Prose is merged by line, and
frontmatter by key.
"""

from vademecum.markdown.merge.driver import merge
from vademecum.markdown.merge.versions import Merged

__all__ = ["Merged", "merge"]
