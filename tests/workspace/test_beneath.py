"""Nothing outside the root is read or changed, with openat2 and with the walk."""

from __future__ import annotations

import os
import socket
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.errors import InvalidPath, NoteNotFound, VademecumError
from vademecum.workspace import syscalls
from vademecum.workspace.beneath import Root


def _kernel_has_openat2() -> bool:
    folder = os.open("/", os.O_RDONLY)
    try:
        os.close(syscalls.open_beneath(folder, "tmp", os.O_RDONLY | os.O_DIRECTORY))
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


BY_KERNEL = pytest.param(
    True,
    id="openat2",
    marks=pytest.mark.skipif(not _kernel_has_openat2(), reason="this kernel has no openat2"),
)


@pytest.fixture(params=[BY_KERNEL, pytest.param(False, id="walk")])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Root:
    (tmp_path / "root" / "memory").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "canary.md").write_text("canary")
    return Root(tmp_path / "root", by_kernel=request.param)


def read(root: Root, path: str) -> str:
    with root.place(path) as place:
        descriptor = root.open_file(place, os.O_RDONLY)
        try:
            return os.read(descriptor, 1000).decode()
        finally:
            os.close(descriptor)


def write(root: Root, path: str) -> None:
    with root.place(path, create=True) as place:
        os.close(root.open_file(place, os.O_WRONLY | os.O_CREAT))


@pytest.mark.req("F-11", "B-01")
def test_a_file_below_the_root_is_read_also_in_a_dot_folder(root: Root) -> None:
    (root.directory / ".archive").mkdir()
    (root.directory / ".archive" / "a.md").write_text("cold")
    (root.directory / "memory" / "a.md").write_text("warm")
    assert read(root, "memory/a.md") == "warm"
    assert read(root, ".archive/a.md") == "cold"


def link_to_file(root: Path) -> str:
    (root / "memory" / "x.md").symlink_to(root.parent / "outside" / "canary.md")
    return "memory/x.md"


def link_inside(root: Path) -> str:
    (root / "memory" / "y.md").write_text("inside")
    (root / "memory" / "x.md").symlink_to("y.md")
    return "memory/x.md"


def link_to_folder(root: Path) -> str:
    (root / "memory" / "f").symlink_to(root.parent / "outside")
    return "memory/f/canary.md"


def deep_link_to_folder(root: Path) -> str:
    (root / "memory" / "f").symlink_to(root.parent)
    return "memory/f/outside/canary.md"


def link_loop(root: Path) -> str:
    (root / "memory" / "a").symlink_to("b")
    (root / "memory" / "b").symlink_to("a")
    return "memory/a/x.md"


def hard_link(root: Path) -> str:
    os.link(root.parent / "outside" / "canary.md", root / "memory" / "x.md")
    return "memory/x.md"


def pipe(root: Path) -> str:
    os.mkfifo(root / "memory" / "x.md")
    return "memory/x.md"


def unix_socket(root: Path) -> str:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(root / "memory" / "x.md"))
    return "memory/x.md"


def folder(root: Path) -> str:
    (root / "memory" / "x.md").mkdir()
    return "memory/x.md"


def file_as_folder(root: Path) -> str:
    (root / "memory" / "x.md").write_text("inside")
    return "memory/x.md/y.md"


@pytest.mark.req("F-11", "B-01")
@pytest.mark.parametrize(
    "make",
    [
        link_to_file,
        link_inside,
        link_to_folder,
        deep_link_to_folder,
        link_loop,
        hard_link,
        pipe,
        unix_socket,
        folder,
        file_as_folder,
    ],
)
def test_what_leads_out_or_is_no_regular_file_is_refused_in_one_sentence(
    root: Root, make: Callable[[Path], str]
) -> None:
    path = make(root.directory)
    for use in (read, write):
        with pytest.raises(InvalidPath) as caught:
            use(root, path)
        assert str(caught.value).endswith(".")
    assert (root.directory.parent / "outside" / "canary.md").read_text() == "canary"


@pytest.mark.req("F-01")
def test_a_hard_link_whose_names_are_all_inside_is_an_ordinary_file(root: Root) -> None:
    (root.directory / "memory" / "a.md").write_text("one file")
    os.link(root.directory / "memory" / "a.md", root.directory / "b.md")
    assert read(root, "b.md") == "one file"


@pytest.mark.req("F-01")
def test_a_folder_that_is_missing_is_made_for_a_write_and_named_for_a_read(root: Root) -> None:
    with pytest.raises(NoteNotFound):
        read(root, "memory/people/ada.md")
    write(root, "memory/people/ada.md")
    assert read(root, "memory/people/ada.md") == ""


@pytest.mark.req("F-01")
def test_a_name_is_found_under_the_form_the_disk_keeps(root: Root) -> None:
    decomposed = unicodedata.normalize("NFD", "café")
    (root.directory / decomposed).mkdir()
    (root.directory / decomposed / f"{decomposed}.md").write_text("found")
    assert read(root, "café/café.md") == "found"


@pytest.mark.req("B-02")
@pytest.mark.parametrize("twin", ["Notes.md", "NOTES.MD", "notes.Md"])
def test_a_twin_of_a_name_is_refused(root: Root, twin: str) -> None:
    (root.directory / "notes.md").write_text("here")
    with root.place(twin, create=True) as place, pytest.raises(InvalidPath, match=r"notes\.md"):
        root.check_new(place)
    with pytest.raises(InvalidPath):
        write(root, "Memory/x.md")


@pytest.mark.req("F-11", "B-01")
def test_a_folder_swapped_for_a_link_in_a_race_never_leads_out(root: Root) -> None:
    """While one thread swaps the folder and a link out, no read shows what is outside."""
    base = root.directory / "memory"
    (base / "real").mkdir()
    (base / "real" / "canary.md").write_text("inside")
    (base / "link").symlink_to(root.directory.parent / "outside")
    ended = threading.Event()

    def swap() -> None:
        inner = os.open(base, os.O_RDONLY)
        while not ended.is_set():
            syscalls.exchange(inner, "real", "link")
        os.close(inner)

    thread = threading.Thread(target=swap)
    thread.start()
    seen = set()
    try:
        for _ in range(3000):
            try:
                seen.add(read(root, "memory/real/canary.md"))
            except VademecumError:
                seen.add("refused")
    finally:
        ended.set()
        thread.join()
    assert "canary" not in seen


@pytest.mark.req("B-02")
def test_a_reader_who_looks_for_writers_never_turns_a_writer_away(root: Root) -> None:
    (root.directory / "note.md").write_text("x")
    ended = threading.Event()

    def look() -> None:
        descriptor = os.open(root.directory / "note.md", os.O_RDONLY)
        while not ended.is_set():
            syscalls.being_written(descriptor)
        os.close(descriptor)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        for _ in range(2000):
            with root.place("note.md") as place:
                os.close(root.open_file(place, os.O_WRONLY))
    finally:
        ended.set()
        thread.join()
