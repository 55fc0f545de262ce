"""Settings become embedders; settings that cannot be meant are said to be so."""

from __future__ import annotations

import subprocess
import sys

import pytest

from vademecum.backends.embedders.opening import PROVIDERS, EmbedderSettings, open_embedder
from vademecum.core.errors import InvalidConfiguration


@pytest.mark.req("R-07")
def test_the_default_is_the_bundled_model() -> None:
    embedder = open_embedder(EmbedderSettings())
    assert embedder is not None
    assert embedder.identity.provider == "local"
    assert embedder.identity.dimensions == 384


@pytest.mark.req("R-07")
def test_none_is_no_embedder() -> None:
    assert open_embedder(EmbedderSettings(provider="none")) is None


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    "provider", [p for p in PROVIDERS if p not in ("none", "openai-compatible")]
)
def test_every_provider_opens_with_nothing_but_its_name(provider: str) -> None:
    embedder = open_embedder(EmbedderSettings(provider=provider))
    assert embedder is not None
    assert embedder.identity.provider == provider
    assert embedder.identity.dimensions > 1
    embedder.close()


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (EmbedderSettings(provider="olama"), "no embedding provider 'olama'"),
        (EmbedderSettings(provider="openai-compatible"), "needs the name of a model"),
        (EmbedderSettings(provider="ollama", model="unheard-of"), "not known"),
        (EmbedderSettings(provider="ollama", dimensions=-1), "not known"),
        (EmbedderSettings(provider="ollama", endpoint="localhost:11434"), "cannot be used"),
        (EmbedderSettings(provider="ollama", endpoint="file:///etc/passwd"), "cannot be used"),
        (EmbedderSettings(provider="ollama", endpoint="http://x:99999"), "cannot be used"),
        (EmbedderSettings(provider="openai", api_key="sk-1\r\nHost: x"), "no key has"),
        (EmbedderSettings(model="bge-m3"), "no model 'bge-m3'"),
        (EmbedderSettings(dimensions=128), "384 dimensions"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_settings_that_cannot_be_meant_are_named(settings: EmbedderSettings, told: str) -> None:
    with pytest.raises(InvalidConfiguration, match=told) as caught:
        open_embedder(settings)
    assert caught.value.hint


@pytest.mark.req("R-07")
def test_a_key_is_never_shown() -> None:
    assert "secret" not in repr(EmbedderSettings(api_key="secret"))


@pytest.mark.req("R-07")
def test_opening_the_default_loads_no_network_code_and_no_numbers_package() -> None:
    program = (
        "import sys\n"
        "from vademecum.backends.embedders.opening import EmbedderSettings, open_embedder\n"
        "open_embedder(EmbedderSettings())\n"
        "names = ('numpy', 'onnxruntime', 'http.client', 'ssl', 'json', 'concurrent.futures')\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout.strip() == b"[]"
