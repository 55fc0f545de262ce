"""A memory at the morning of one day; where a test needs another one, its module has its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock

from .models import memory_with


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-20T09:00:00")


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with memory_with(tmp_path, clock) as opened:
        yield opened
