"""The deterministic embedder: same text, same vector; shared spelling, near vectors."""

from __future__ import annotations

import math
import subprocess
import sys
from array import array

import pytest

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.core.ports import Purpose, Vector


def cosine(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


@pytest.mark.req("R-07")
@pytest.mark.parametrize("text", ["API style", "", "   ", "数据库迁移", "\0\ud800", "x" * 50_000])
def test_any_text_gets_a_unit_vector_of_the_promised_length(text: str) -> None:
    embedder = HashingEmbedder(64)
    (vector,) = embedder.embed([text], Purpose.PASSAGE)
    assert isinstance(vector, array)
    assert vector.typecode == "f"
    assert len(vector) == embedder.identity.dimensions == 64
    assert math.isclose(cosine(vector, vector), 1.0, rel_tol=1e-5)


@pytest.mark.req("I-03")
def test_another_process_makes_the_same_vectors() -> None:
    program = (
        "from vademecum.backends.embedders.hashing import HashingEmbedder\n"
        "from vademecum.core.ports import Purpose\n"
        "print(HashingEmbedder().embed(['Services talk REST'], Purpose.QUERY)[0].tobytes().hex())"
    )
    other = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.strip()
    (here,) = HashingEmbedder().embed(["Services talk REST"], Purpose.QUERY)
    assert here.tobytes().hex() == other


@pytest.mark.req("R-07")
def test_texts_that_share_words_are_nearer_than_texts_that_do_not() -> None:
    question, near, far = HashingEmbedder().embed(
        ["which API style", "API style: services talk REST", "grandmother bakes bread"],
        Purpose.PASSAGE,
    )
    assert cosine(question, near) > cosine(question, far) + 0.2


@pytest.mark.req("I-03")
def test_other_dimensions_are_another_identity() -> None:
    small, large = HashingEmbedder(64).identity, HashingEmbedder(128).identity
    assert small.fingerprint != large.fingerprint


@pytest.mark.req("R-07")
def test_no_texts_give_no_vectors() -> None:
    assert HashingEmbedder().embed([], Purpose.PASSAGE) == []
