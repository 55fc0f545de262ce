"""Roles: what the files of a workspace are for, whatever their profile calls them."""

from __future__ import annotations

import enum


class Role(enum.StrEnum):
    """What a file is for in a workspace, whatever its profile calls it."""

    IDENTITY = "identity"
    INSTRUCTIONS = "instructions"
    WORKBENCH = "workbench"
    CORE = "core"
    MAP = "map"
    DOCTRINE = "doctrine"
    LOG = "log"
    CONCEPT = "concept"
    REFLECTION = "reflection"
    CANDIDATES = "candidates"
    ARCHIVE = "archive"
    OTHER = "other"
