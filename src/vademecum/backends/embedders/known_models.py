"""What must be known of a remote model before it is asked: its dimensions and its prefixes."""

from __future__ import annotations

from vademecum.core.frozen import dataclass
from vademecum.core.ports import Purpose


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model's own number of dimensions (0: not known) and what goes before each text."""

    dimensions: int
    query_prefix: str = ""
    passage_prefix: str = ""
    likeness_prefix: str = ""

    def prefix(self, purpose: Purpose) -> str:
        """Return what goes before a text embedded for `purpose`."""
        if purpose is Purpose.QUERY:
            return self.query_prefix
        return self.passage_prefix if purpose is Purpose.PASSAGE else self.likeness_prefix


def _e5(dimensions: int) -> RemoteModel:
    return RemoteModel(dimensions, "query: ", "passage: ", "query: ")


def _google(dimensions: int) -> RemoteModel:
    return RemoteModel(
        dimensions,
        "task: search result | query: ",
        "title: none | text: ",
        "task: sentence similarity | query: ",
    )


def _nomic(dimensions: int) -> RemoteModel:
    return RemoteModel(dimensions, "search_query: ", "search_document: ", "clustering: ")


_QWEN_QUERY = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
)

# From the models' own cards; names without tag and organisation.
_MODELS = {
    "text-embedding-3-small": RemoteModel(1536),
    "text-embedding-3-large": RemoteModel(3072),
    "text-embedding-ada-002": RemoteModel(1536),
    "gemini-embedding-001": RemoteModel(3072),
    "gemini-embedding-2": _google(3072),
    "gemini-embedding-2-preview": _google(3072),
    "voyage-4-large": RemoteModel(1024),
    "voyage-4": RemoteModel(1024),
    "voyage-4-lite": RemoteModel(1024),
    "voyage-3-large": RemoteModel(1024),
    "voyage-3.5": RemoteModel(1024),
    "voyage-3.5-lite": RemoteModel(1024),
    "voyage-code-3": RemoteModel(1024),
    "embeddinggemma": _google(768),
    "embeddinggemma-300m": _google(768),
    "nomic-embed-text": _nomic(768),
    "nomic-embed-text-v1.5": _nomic(768),
    "mxbai-embed-large": RemoteModel(
        1024, "Represent this sentence for searching relevant passages: "
    ),
    "bge-m3": RemoteModel(1024),
    "all-minilm": RemoteModel(384),
    "snowflake-arctic-embed2": RemoteModel(1024, "query: "),
    "qwen3-embedding": RemoteModel(0, _QWEN_QUERY),
    "qwen3-embedding:0.6b": RemoteModel(1024, _QWEN_QUERY),
    "qwen3-embedding:4b": RemoteModel(2560, _QWEN_QUERY),
    "qwen3-embedding:8b": RemoteModel(4096, _QWEN_QUERY),
    "multilingual-e5-small": _e5(384),
    "multilingual-e5-base": _e5(768),
    "multilingual-e5-large": _e5(1024),
}


def remote_model(name: str) -> RemoteModel:
    """Return what is known of a model, by name with or without organisation and tag."""
    bare = name.rpartition("/")[2].lower()
    known = _MODELS.get(bare) or _MODELS.get(bare.partition(":")[0])
    return known or RemoteModel(0)
