"""Configuration: later wins, mistakes are named, and a clone sets nothing that could harm."""

from pathlib import Path

import pytest

from vademecum.core.errors import InvalidConfiguration
from vademecum.workspace.config import describe, load_settings, state_home, user_file
from vademecum.workspace.keys import declared_keys
from vademecum.workspace.zones import system_zone, zone_named


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    root = tmp_path / "workspace"
    root.mkdir()
    own = user_file({"HOME": str(tmp_path)})
    own.parent.mkdir(parents=True)
    return root, {"HOME": str(tmp_path)}


def write_own(variables: dict[str, str], text: str) -> Path:
    path = user_file(variables)
    path.write_text(text)
    return path


def test_later_wins_and_every_value_says_where_it_is_from(
    places: tuple[Path, dict[str, str]],
) -> None:
    root, variables = places
    own = write_own(
        variables, "[search]\nk = 6\nbudget = 100\n[chunk]\ntokens = 111\noverlap = 11\n"
    )
    (root / "vade.toml").write_text(
        "search.k = 7\nchunk.overlap = 22\n[scan]\nignore = ['a/', 'b']\n"
    )
    variables |= {"VADE_SEARCH_K": "8", "VADE_WATCH_DEBOUNCE": "2", "VADE_STATE_DIRECTORY": ""}
    settings = load_settings(root, {"search.k": 9}, variables)
    rows = {row.key: (row.value, row.origin) for row in describe(settings)}
    assert rows["search.k"] == ("9", "option")
    assert rows["watch.debounce"] == ("2.0", "VADE_WATCH_DEBOUNCE")
    assert rows["chunk.overlap"] == ("22", str(root / "vade.toml"))
    assert rows["scan.ignore"] == ("a/, b", str(root / "vade.toml"))
    assert rows["chunk.tokens"] == ("111", str(own))
    assert rows["scan.max_bytes"] == ("5000000", "default")
    assert (settings.search.k, settings.scan.ignore) == (9, ("a/", "b"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("claude, -p", ("claude", "-p")),
        ('["claude", "-p", "a, b"]', ("claude", "-p", "a, b")),
        ("/opt/my tools/model", ("/opt/my tools/model",)),
        ("[ab]*.md, [c]", ("[ab]*.md", "[c]")),
    ],
)
def test_a_list_in_a_variable_is_parts_between_commas_or_json(
    places: tuple[Path, dict[str, str]], text: str, words: tuple[str, ...]
) -> None:
    root, variables = places
    settings = load_settings(root, {}, {**variables, "VADE_MODEL_COMMAND": text})
    assert settings.model.command == words


@pytest.mark.parametrize("text", ['["claude", "-p"', '["claude", 3]'])
def test_a_broken_list_in_a_variable_is_an_error_and_says_how_to_write_one(
    places: tuple[Path, dict[str, str]], text: str
) -> None:
    root, variables = places
    with pytest.raises(InvalidConfiguration, match=r'VADE_MODEL_COMMAND.*\["one", "two"\]'):
        load_settings(root, {}, {**variables, "VADE_MODEL_COMMAND": text})


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("[search]\nfuson = 'rank'\n", "search.fuson, which is no known key", "search.fusion"),
        ("profile = 'vault'\n", "profile, which is no known key", "workspace.profile"),
        ("[search]\nk = 'many'\n", "it must be a whole number", "How many"),
        ("[search]\nk = true\n", "it must be a whole number", "How many"),
        ("[search]\nk = 0\n", "at least 1", "How many"),
        ("[search]\nfusion = 'x'\n", "one of weighted, rank", "legs"),
        ("[scan]\nignore = [1]\n", "a list of texts", "gitignore"),
        ("[search]\nk = \n", "is not valid TOML", "line"),
        ("x = " + "[" * 5000, "is not valid TOML", "line"),
        ("# " + "x" * 70_000, "no regular file of at most 64 KB", "readable"),
    ],
)
def test_a_mistake_is_named_with_file_and_remedy(
    places: tuple[Path, dict[str, str]], text: str, said: str, hint: str
) -> None:
    root, variables = places
    (root / "vade.toml").write_text(text)
    with pytest.raises(InvalidConfiguration) as raised:
        load_settings(root, variables=variables)
    assert said in str(raised.value)
    assert str(root / "vade.toml") in str(raised.value)
    assert hint in raised.value.hint


def test_a_clone_may_not_say_where_text_is_sent_or_state_is_kept(
    places: tuple[Path, dict[str, str]],
) -> None:
    root, variables = places
    unsafe = [key for key in declared_keys() if not key.rule.safe]
    assert {key.name.partition(".")[0] for key in unsafe} == {
        "actor", "embedder", "git", "model", "state", "transcripts"
    }  # fmt: skip
    for key in unsafe:
        value = f"'{key.default}'" if key.kind is str else "3"
        (root / "vade.toml").write_text(f"{key.name} = {value}\n")
        with pytest.raises(InvalidConfiguration, match="may not set for its users") as raised:
            load_settings(root, variables=variables)
        assert key.variable in raised.value.hint


def test_a_misspelt_variable_is_an_error_and_a_foreign_one_is_not() -> None:
    with pytest.raises(InvalidConfiguration) as raised:
        load_settings(None, variables={"VADE_SEARCH_FUSON": "rank"})
    assert "VADE_SEARCH_FUSION" in raised.value.hint
    foreign = {"VADE_HARNESS_RUN": "1", "VADE_WORKSPACE": "x", "VADE_AGENT": "y"}
    assert load_settings(None, variables=foreign).origins == {}


def test_a_key_is_never_shown_and_never_sent_to_another_address() -> None:
    chosen = {"VADE_EMBEDDER_PROVIDER": "openai", "OPENAI_API_KEY": "sk-very-secret"}
    settings = load_settings(None, variables=chosen)
    assert settings.embedder.api_key == "sk-very-secret"
    assert not any("sk-very" in str(row) for row in describe(settings))
    elsewhere = chosen | {"VADE_EMBEDDER_ENDPOINT": "http://localhost:9"}
    assert load_settings(None, variables=elsewhere).embedder.api_key == ""
    assert load_settings(None, variables={"OPENAI_API_KEY": "x"}).embedder.api_key == ""


def test_every_key_has_help_and_a_default_that_fits() -> None:
    defaults = {key.name: key.default for key in declared_keys()}
    assert load_settings(None, defaults, {}).value("search.k") == defaults["search.k"]
    for key in declared_keys():
        assert key.rule.help.endswith("."), key.name


@pytest.mark.req("I-03")
def test_state_is_outside_and_follows_the_usual_places(tmp_path: Path) -> None:
    settings = load_settings(None, variables={})
    assert state_home(settings, {"HOME": "/h"}) == Path("/h/.local/state/vademecum")
    assert state_home(settings, {"XDG_STATE_HOME": "/s"}) == Path("/s/vademecum")
    assert state_home(settings, {"HOME": "/h", "XDG_STATE_HOME": "rel"}).is_relative_to("/h")
    own = load_settings(None, {"state.directory": str(tmp_path)}, {})
    assert state_home(own, {}) == tmp_path


@pytest.mark.req("F-06")
def test_the_zone_is_the_systems_own_where_none_is_set() -> None:
    assert system_zone({"TZ": "Asia/Shanghai"}).key == "Asia/Shanghai"
    assert system_zone({"TZ": ":Europe/Berlin"}).key == "Europe/Berlin"
    assert system_zone({"TZ": "/usr/share/zoneinfo/Asia/Tokyo"}).key == "Asia/Tokyo"
    assert system_zone({"TZ": "CET-1CEST"}).key
    with pytest.raises(InvalidConfiguration, match="Mars"):
        zone_named("Mars/Olympus")


@pytest.mark.parametrize("value", ["inf", "nan", "-inf"])
def test_a_number_without_a_size_is_a_mistake(
    places: tuple[Path, dict[str, str]], value: str
) -> None:
    root, variables = places
    with pytest.raises(InvalidConfiguration, match="finite number"):
        load_settings(root, {}, variables | {"VADE_SEARCH_SEMANTIC_WEIGHT": value})
    (root / "vade.toml").write_text(f"search.smoothing = {value}\n")
    with pytest.raises(InvalidConfiguration, match="finite number"):
        load_settings(root, {}, variables)
