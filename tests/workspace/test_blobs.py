"""Versions are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.errors import StateUnwritable, Unreadable
from vademecum.core.ids import digest_of
from vademecum.workspace.blobs import Blobs


@pytest.mark.req("B-03")
@given(content=st.binary(max_size=2000), durable=st.booleans())
def test_what_is_put_comes_back(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, durable: bool
) -> None:
    blobs = Blobs(tmp_path_factory.mktemp("blobs"))
    digest = blobs.put(content, durable=durable)
    assert digest == digest_of(content) == blobs.put(content)
    assert blobs.get(digest) == content


@pytest.mark.req("B-03")
def test_long_text_is_kept_small(tmp_path: Path) -> None:
    content = b"- [stated] Services talk REST\n" * 1000
    Blobs(tmp_path).put(content)
    stored = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    assert stored < len(content) / 20


@pytest.mark.req("B-03")
@pytest.mark.parametrize("damage", [b"", b"r", b"rother", b"zother", b"x"])
def test_a_damaged_version_is_never_given_and_is_mended_by_the_next_put(
    tmp_path: Path, damage: bytes
) -> None:
    blobs = Blobs(tmp_path)
    digest = blobs.put(b"the version")
    (stored,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    stored.write_bytes(damage)
    assert not blobs.has(digest)
    with pytest.raises(Unreadable, match=digest):
        blobs.get(digest)
    blobs.put(b"the version", durable=False)
    assert blobs.get(digest) == b"the version"


@pytest.mark.req("B-03")
def test_a_version_can_be_forgotten_for_good(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    digest = blobs.put(b"a secret")
    assert blobs.remove(digest) and not blobs.remove(digest)
    assert not blobs.has(digest)


@pytest.mark.req("B-03")
def test_a_store_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(StateUnwritable, match="blobs"):
        Blobs(tmp_path / "blobs").put(b"x")
