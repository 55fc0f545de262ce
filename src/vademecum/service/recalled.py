"""The mark of recalled text, for the surfaces that hand such text to a model."""

from __future__ import annotations

from vademecum.markdown.recalled import RECALL_END as RECALL_END
from vademecum.markdown.recalled import RECALL_MARK as RECALL_MARK
from vademecum.markdown.recalled import is_recall_output as is_recall_output

__all__ = ["RECALL_END", "RECALL_MARK", "is_recall_output"]
