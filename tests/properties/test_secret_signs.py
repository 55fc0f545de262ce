"""The signs that spare a text the patterns for secrets spare it none that would match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.markdown import secrets

pytestmark = pytest.mark.req("B-04")

_PATTERNS = {rule: (signs, pattern.pattern) for rule, signs, pattern in secrets._rules()}


@pytest.mark.parametrize("rule", _PATTERNS)
@given(data=st.data())
def test_whatever_a_rule_finds_holds_one_of_its_signs(rule: str, data: st.DataObject) -> None:
    signs, pattern = _PATTERNS[rule]
    text = data.draw(st.from_regex(re.compile(pattern)))

    assert any(sign in text or sign in text.casefold() for sign in signs)


@given(st.from_regex(re.compile(secrets._PROSE.pattern)))
def test_whatever_prose_tells_holds_one_of_its_signs(text: str) -> None:
    assert any(sign in text.casefold() for sign in secrets._PROSE_SIGNS)
