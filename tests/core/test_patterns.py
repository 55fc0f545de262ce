"""Patterns that are compiled at their first use."""

from __future__ import annotations

import re

import pytest

from vademecum.core.patterns import later

pytestmark = pytest.mark.req("B-06")


def test_a_pattern_compiled_later_matches_as_one_compiled_at_once() -> None:
    """Every method and attribute is that of the compiled pattern."""
    now, then = re.compile(r"(?P<key>\w+)=(\d+)", re.I), later(r"(?P<key>\w+)=(\d+)", re.I)

    for _ in range(2):
        assert [m.span() for m in then.finditer("a=1 B=22")] == [(0, 3), (4, 8)]
        assert then.sub("-", "a=1 b") == now.sub("-", "a=1 b") == "- b"
    assert (then.flags, then.groupindex, then.pattern) == (now.flags, now.groupindex, now.pattern)
    assert then.match("no digits") is None


def test_a_pattern_that_is_never_used_is_never_compiled() -> None:
    """Not even looked at: an error in it shows at its first use."""
    broken = later("(")

    with pytest.raises(re.error):
        broken.match("x")
