from __future__ import annotations

import tomllib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.workspace.plain_toml import read_plain

SIGNS = st.text(
    st.sampled_from("ab_-.=#\"'[]{}\\ \t\r\x00\x7f01tñ雨\u2028,+"), max_size=8
)  # fmt: skip
VALUES = st.sampled_from(
    ['"x"', '""', '"a # b"', '"""', '"\\n"', "1", "0", "01", "1_000", "-1", "1.5", "true", "True"]
    + ["false # no", "[1]", "'x'", '"x" # why', '"x" y', "1979-05-27", '"ñ 雨"', "", "99999999999"]
)
LINES = st.one_of(
    st.sampled_from(["[a]", "[b]", "[a.b]", "[a] # why", "[[a]]", "[ a ]", "# note", "", "  "]),
    st.builds("{} = {}".format, st.sampled_from(["x", "y", "x-1", '"q"', "a.b", "ñ"]), VALUES),
    SIGNS,
)


@pytest.mark.req("F-01")
@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_what_is_read_as_plain_is_what_a_parser_of_all_toml_reads(text: str) -> None:
    plain = read_plain(text)
    if plain is not None:
        assert tomllib.loads(text) == plain
        assert repr(tomllib.loads(text)) == repr(plain)  # true is not 1
    else:
        with suppress(tomllib.TOMLDecodeError):
            tomllib.loads(text)


@pytest.mark.req("F-01")
def test_the_configuration_that_init_writes_is_plain() -> None:
    text = '# Memory.\n[workspace]\nid = "a-1"\nprofile = "standard"\nzone = "Europe/Berlin"\n'
    assert read_plain(text) == {
        "workspace": {"id": "a-1", "profile": "standard", "zone": "Europe/Berlin"}
    }
    assert read_plain("[a]\nx = 1\ny = true # yes\n\n[b]\n") == {"a": {"x": 1, "y": True}, "b": {}}
