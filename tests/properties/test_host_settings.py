"""Whatever a user's settings are, memory comes and goes without touching them."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.service.hosts import set_up
from vademecum.service.hosts.setting import Setting

_KEYS = st.sampled_from(["hooks", "Stop", "SessionStart", "mcpServers", "a", "ü", 'q"', ""])
_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)
_HOOKS = st.fixed_dictionaries(
    {},
    optional={
        "Stop": st.lists(st.fixed_dictionaries({"matcher": _LEAVES}), max_size=2),
        "SessionStart": st.lists(st.fixed_dictionaries({"hooks": st.just([])}), max_size=2),
        "Other": _VALUES,
    },
)
_SETTINGS = st.builds(
    lambda others, hooks: others | ({} if hooks is None else {"hooks": hooks}),
    st.dictionaries(_KEYS.filter(lambda key: key != "hooks"), _VALUES, max_size=3),
    st.none() | _HOOKS,
)
_FORMS = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 4},
        {"indent": "\t", "ensure_ascii": False},
        {"separators": (",", ":")},
        {"indent": 1, "separators": (" ,", " : ")},
        {},
    ]
)


@pytest.mark.req("C-01")
@settings(max_examples=60, deadline=None)
@given(held=_SETTINGS, form=_FORMS, end=st.sampled_from(["", "\n", "\r\n", "  \n\n"]))
def test_memory_comes_and_goes_and_settings_stay(
    held: dict[str, object], form: dict[str, object], end: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        setting = Setting(("/opt/vade",), home / "notes", None, {"HOME": folder})
        path = home / ".claude" / "settings.json"
        path.parent.mkdir()
        text = json.dumps(held, **form) + end  # type: ignore[arg-type]  # keywords of several types
        path.write_bytes(text.encode())
        set_up.install("claude-code", setting)
        first = path.read_bytes()
        after = json.loads(first)
        assert {key: after[key] for key in held if key != "hooks"} == {
            key: value for key, value in held.items() if key != "hooks"
        }
        assert {file.what for file in set_up.install("claude-code", setting)} == {"unchanged"}
        # As if somebody else had changed the file since: taken out part by part.
        path.write_bytes(first + b"\n")
        set_up.uninstall("claude-code", setting)
        assert json.loads(path.read_bytes()) == held
        path.write_bytes(text.encode())
        set_up.install("claude-code", setting)
        set_up.uninstall("claude-code", setting)
        assert path.read_bytes() == text.encode()
