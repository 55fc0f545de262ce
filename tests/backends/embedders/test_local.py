"""The bundled model: meaning across languages, engines that agree, weights that are checked."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vademecum.backends.embedders import weights
from vademecum.backends.embedders.c_engine import CEngine, missing_instructions
from vademecum.backends.embedders.local import FEW_BYTES, LocalEmbedder
from vademecum.backends.embedders.onnx_engine import OnnxEngine
from vademecum.backends.embedders.readable import LONGEST_TEXT, readable
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import Purpose, Vector

MEMORIES = {
    "bread": "Grandmother's sourdough rests overnight in the cellar before it goes into the oven.",
    "rest": "Services talk to each other over REST; GraphQL was rejected.",
    "flight": "The plane to Lisbon leaves on Friday morning from terminal two.",
    "database": "Customer records moved from MySQL to PostgreSQL last spring.",
    "allergy": "Anna must not eat peanuts; she carries an adrenaline pen.",
}


def cosine(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def embedder(cache: Path) -> LocalEmbedder:
    return LocalEmbedder(cache, threads=2)


@pytest.fixture(scope="module")
def compiled(cache: Path) -> CEngine:
    model = weights.find_local_model(cache)
    assert model.library is not None
    return CEngine(model.library, model.weights)


@pytest.fixture(scope="module")
def bulk(cache: Path) -> OnnxEngine:
    return OnnxEngine(weights.find_local_model(cache).weights)


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How do our backends communicate?", "rest"),
        ("Who has a nut allergy?", "allergy"),
        ("Wann geht die Reise nach Portugal los?", "flight"),
        ("Wer ist gegen Erdnüsse allergisch?", "allergy"),
        ("我们用什么数据库存客户资料?", "database"),
        ("什么时候出发去葡萄牙?", "flight"),
        ("顧客データはどのデータベースにありますか?", "database"),
        ("パンの生地はどこで寝かせますか?", "bread"),
    ],
)
def test_a_question_finds_the_memory_that_means_it(
    embedder: LocalEmbedder, question: str, answer: str
) -> None:
    (asked,) = embedder.embed([question], Purpose.QUERY)
    passages = embedder.embed(list(MEMORIES.values()), Purpose.PASSAGE)
    scores = {name: cosine(asked, vector) for name, vector in zip(MEMORIES, passages, strict=True)}
    assert max(scores, key=lambda name: scores[name]) == answer


AWKWARD = [
    "",
    "   ",
    "Services talk REST",
    "a\0b after the zero",
    "lone \ud800 surrogate",
    "\ufdfa" * 40,
    "数据库从 MySQL 迁移到 PostgreSQL。" * 20,
    "①㍿ Ça va?\u3000ok\t\r\n🎉",
    "<s> </s> <unk> \u2581",
    "A long text about bread. " * 110,
    # A full window and a short one about something else: their weights show.
    "The bread rests over night. " * 72 + "Ψ數據庫遷移失敗 0x7F31 !?",
    "x" * 3_000,
]


@pytest.mark.req("R-07", "I-03")
@pytest.mark.parametrize("text", AWKWARD, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("as_query", [True, False])
def test_both_engines_give_the_same_vector(
    compiled: CEngine, bulk: OnnxEngine, text: str, as_query: bool
) -> None:
    read = readable(text)
    left, right = compiled.embed(read, as_query), bulk.embed(read, as_query)
    assert cosine(left, left) == pytest.approx(1, abs=1e-5)
    assert cosine(right, right) == pytest.approx(1, abs=1e-5)
    assert cosine(left, right) > 0.99


@pytest.mark.req("R-07")
def test_text_after_a_zero_byte_still_counts(embedder: LocalEmbedder) -> None:
    cut, whole = embedder.embed(["bread", "bread\0 and the flight to Lisbon"], Purpose.PASSAGE)
    assert cosine(cut, whole) < 0.95


@pytest.mark.req("R-07")
def test_text_beyond_the_window_counts_and_text_beyond_the_bound_does_not(
    embedder: LocalEmbedder,
) -> None:
    filler = "The meeting was moved again. " * 120
    assert len(filler) < LONGEST_TEXT
    plain, with_end, beyond = embedder.embed(
        [
            filler,
            filler + "Anna is allergic to peanuts. " * 40,
            filler.ljust(LONGEST_TEXT) + "Anna",
        ],
        Purpose.PASSAGE,
    )
    (padded,) = embedder.embed([filler.ljust(LONGEST_TEXT)], Purpose.PASSAGE)
    assert cosine(plain, with_end) < 0.99
    assert cosine(padded, beyond) > 0.999


@pytest.mark.req("I-03")
def test_a_bulk_keeps_the_order_and_each_vector_is_that_of_the_text_alone(
    embedder: LocalEmbedder, bulk: OnnxEngine
) -> None:
    texts = [f"Note {number}: {'word ' * (number * 7 % 90)}" for number in range(40)]
    assert sum(map(len, texts)) > FEW_BYTES
    vectors = embedder.embed(texts, Purpose.PASSAGE)
    assert vectors == [bulk.embed(readable(text), False) for text in texts]


@pytest.mark.req("I-03")
def test_vectors_are_little_endian_floats_of_the_promised_length(embedder: LocalEmbedder) -> None:
    (vector,) = embedder.embed(["Services talk REST"], Purpose.LIKENESS)
    assert isinstance(vector, array)
    assert vector.typecode == "f"
    assert len(vector) == embedder.identity.dimensions == 384
    assert embedder.embed([], Purpose.QUERY) == []


@pytest.mark.req("R-07")
def test_likeness_takes_the_query_prefix_on_both_sides(embedder: LocalEmbedder) -> None:
    text = "Services talk REST"
    (likeness,) = embedder.embed([text], Purpose.LIKENESS)
    assert [likeness] == embedder.embed([text], Purpose.QUERY)
    assert [likeness] != embedder.embed([text], Purpose.PASSAGE)


@pytest.mark.req("R-07")
def test_a_query_loads_neither_numpy_nor_onnxruntime(cache: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from vademecum.backends.embedders.local import LocalEmbedder\n"
        "from vademecum.core.ports import Purpose\n"
        f"LocalEmbedder(Path({str(cache)!r})).embed(['which API style?'], Purpose.QUERY)\n"
        "print([name for name in ('numpy', 'onnxruntime', 'http', 'ssl') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout.strip() == b"[]"
    assert done.stderr == b""


@pytest.mark.req("R-07")
def test_weights_are_hashed_once_and_again_when_the_file_changes(tmp_path: Path) -> None:
    file, cache = tmp_path / "weights", tmp_path / "cache"
    file.write_bytes(b"genuine")
    digest = weights.sha256_of(file)
    weights.verify(file, digest, cache)

    stat = file.stat()
    weights.verify(file, digest, cache)
    file.write_bytes(b"altered")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with pytest.raises(EmbedderUnavailable, match="not the pinned ones") as caught:
        weights.verify(file, digest, cache)
    assert not caught.value.transient
    assert caught.value.hint


@pytest.mark.req("R-07")
def test_a_cache_directory_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"genuine")
    weights.verify(file, weights.sha256_of(file), file / "not a directory")


@pytest.mark.req("R-07")
def test_a_missing_package_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "vademecum_no_such_package")
    embedder = LocalEmbedder()
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable, match="is not installed") as caught:
            embedder.embed(["anything"], Purpose.QUERY)
        assert "keyword search works" in caught.value.hint


@pytest.mark.req("R-07")
def test_a_processor_without_the_instructions_is_seen_before_the_engine_runs(
    tmp_path: Path,
) -> None:
    information = tmp_path / "cpuinfo"
    information.write_text("processor : 0\nflags\t\t: fpu sse2 avx bmi2 fma\n", encoding="utf-8")
    assert missing_instructions(information) == ["avx2"]
    information.write_text("processor : 0\nFeatures : fp asimd\n", encoding="utf-8")
    assert missing_instructions(information) == []
    assert missing_instructions(tmp_path / "absent") == []


@pytest.mark.req("R-07")
def test_without_onnxruntime_the_compiled_engine_embeds_many_texts(cache: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "sys.modules['onnxruntime'] = None\n"
        "from vademecum.backends.embedders.local import LocalEmbedder\n"
        "from vademecum.core.ports import Purpose\n"
        f"embedder = LocalEmbedder(Path({str(cache)!r}), threads=2)\n"
        "vectors = embedder.embed([f'Note {n} about bread' for n in range(80)], Purpose.PASSAGE)\n"
        "print(len(set(map(bytes, vectors))), 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout.split()[0] == b"80"
    assert done.stderr == b""


@pytest.mark.req("R-07")
def test_without_the_compiled_engine_onnxruntime_embeds_queries(
    embedder: LocalEmbedder, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "weights_alone"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / weights.WEIGHTS_FILE).symlink_to(weights.find_local_model(cache).weights)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(weights, "PACKAGE", package.name)
    alone = LocalEmbedder(cache)
    (left,), (right,) = (
        one.embed(["which API style?"], Purpose.QUERY) for one in (embedder, alone)
    )
    assert alone.identity == embedder.identity
    assert cosine(left, right) > 0.99
    alone.close()


@pytest.mark.req("R-07", "I-03")
def test_threads_that_embed_at_once_get_their_own_vectors(embedder: LocalEmbedder) -> None:
    texts = [f"question {number} about the database" for number in range(12)]
    alone = [embedder.embed([text], Purpose.QUERY) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: embedder.embed([text], Purpose.QUERY), texts))
    assert together == alone


@pytest.mark.req("R-07")
def test_a_closed_embedder_says_so(cache: Path) -> None:
    embedder = LocalEmbedder(cache)
    embedder.embed(["one"], Purpose.QUERY)
    embedder.close()
    embedder.close()
    with pytest.raises(EmbedderUnavailable, match="closed"):
        embedder.embed(["two"], Purpose.QUERY)
