"""A link is followed to the note it means, or to the several it may mean."""

import pytest

from vademecum.core.errors import AmbiguousTarget
from vademecum.markdown.links import Catalogue, candidates, resolve

NOTES = Catalogue(
    {
        "MEMORY.md": ["Memory"],
        "memory/index.md": ["Map"],
        "memory/decisions/index.md": ["Decisions"],
        "memory/decisions/api.md": ["API style", "HTTP"],
        "memory/projects/api.md": ["API project"],
        "memory/projects/Überblick.md": ["Overview"],
        "memory/people/kim.md": ["Kim"],
        "memory/people/kim-2.md": ["Kim"],
    }
)


@pytest.mark.req("R-01")
@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("memory/decisions/api.md", "NOW.md", "memory/decisions/api.md"),
        ("memory/decisions/api", "memory/index.md", "memory/decisions/api.md"),
        ("decisions/api.md", "memory/index.md", "memory/decisions/api.md"),
        ("../projects/api.md", "memory/decisions/api.md", "memory/projects/api.md"),
        ("./api", "memory/projects/x.md", "memory/projects/api.md"),
        ("/decisions/api.md", "memory/people/kim.md", "memory/decisions/api.md"),
        ("/memory/decisions/api.md", "memory/people/kim.md", "memory/decisions/api.md"),
        ("api", "memory/projects/other.md", "memory/projects/api.md"),
        ("projects/API", "memory/decisions/x.md", "memory/projects/api.md"),
        ("decisions/", "memory/index.md", "memory/decisions/index.md"),
        ("u\u0308berblick", "NOW.md", "memory/projects/Überblick.md"),
        ("api style", "NOW.md", "memory/decisions/api.md"),
        ("http", "NOW.md", "memory/decisions/api.md"),
        ("INDEX.md", "memory/x.md", "memory/index.md"),
        ("memory", "people/x.md", "memory/index.md"),
        ("", "memory/people/kim.md", "memory/people/kim.md"),
        ("kim", "NOW.md", "memory/people/kim.md"),
        ("nowhere", "NOW.md", None),
        ("../../../etc/passwd", "memory/index.md", None),
    ],
)
def test_a_target_is_a_path_a_name_or_a_title(target: str, source: str, path: str | None) -> None:
    assert resolve(target, source, NOTES) == path


@pytest.mark.req("R-01")
def test_a_name_that_several_notes_have_is_reported_with_all_of_them() -> None:
    both = ("memory/decisions/api.md", "memory/projects/api.md")
    assert candidates("api", "NOW.md", NOTES) == both
    with pytest.raises(AmbiguousTarget) as raised:
        resolve("api", "NOW.md", NOTES)
    assert all(path in raised.value.hint for path in both)


def test_a_spelling_that_is_exact_comes_before_one_that_differs_in_case() -> None:
    twins = Catalogue({"readme.md": [], "README.md": []})
    assert resolve("readme", "x.md", twins) == "readme.md"
    assert resolve("README", "x.md", twins) == "README.md"
