"""What an owner forgets is in no index that was made for those who may read a part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.req("A-02", "B-03")
CLAIM = "The vault code of the office is 4711"


def holding(place: Path) -> list[str]:
    return [
        file.relative_to(place).as_posix()
        for file in sorted(place.rglob("*"))
        if file.is_file() and "blobs" not in file.parts and b"office is 4711" in file.read_bytes()
    ]


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("purge", [False, True])
def test_what_is_forgotten_is_in_no_index_of_a_reader(
    installation: Any, monkeypatch: pytest.MonkeyPatch, *, purge: bool, elsewhere: bool
) -> None:
    for name in ("owner", "reader"):
        installation.agent(name)
    owner = installation.open("owner")
    kept = owner.remember(CLAIM, kind="fact")
    owner.grant("reader", folder="memory")
    if elsewhere:
        monkeypatch.setenv("VADE_STATE_DIRECTORY", str(installation.home / "another"))
    reader = installation.open("reader")
    assert "4711" in str(reader.search("vault code", origin="owner").hits)
    assert any("views" in path for path in holding(installation.home / "state"))
    assert not [path for path in holding(installation.home) if path.startswith("another")]
    done = owner.forget(f"^{kept.claim}", purge=purge)
    assert holding(installation.home) == []
    assert not [one for one in done.remains if "state directory" in one.where and purge]
    assert "4711" not in str(reader.search("vault code", origin="owner").hits)
    assert holding(installation.home) == []


def test_with_the_last_grant_its_index_goes(installation: Any) -> None:
    for name in ("owner", "reader", "second"):
        installation.agent(name)
    owner, second = installation.open("owner"), installation.open("second")
    owner.remember(CLAIM, kind="fact")
    for name in ("reader", "second"):
        owner.grant(name, folder="memory")
    assert second.search("vault code", origin="owner").hits
    assert any("views" in path for path in holding(installation.home / "state"))
    owner.revoke("reader")
    assert second.search("vault code", origin="owner").hits
    owner.revoke("second")
    assert not any("views" in path for path in holding(installation.home / "state"))
