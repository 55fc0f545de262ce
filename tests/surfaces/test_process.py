"""The command as a process: interrupted, cut off, at a terminal, and as a module."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    vade(tmp_path, "init", "notes")
    return tmp_path


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "LC_ALL": "C.UTF-8"}
    return kept | {"HOME": str(home), "VADE_EMBEDDER_PROVIDER": "hashing"} | more


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "vademecum", *arguments]


def vade(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=home,
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def at_a_terminal(home: Path, arguments: Sequence[str], **more: str) -> str:
    """Return what the command shows on a terminal of its own."""
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        cwd=home,
        env=environment(home, TERM="xterm-256color", COLUMNS="60", LINES="24", **more),
        stdin=subprocess.DEVNULL,
        stdout=inner,
        stderr=subprocess.DEVNULL,
    )
    os.close(inner)
    shown = b""
    while select.select([outer], [], [], 60)[0]:
        try:
            part = os.read(outer, 65_536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(outer)
    assert process.wait(timeout=60) == 0
    return shown.decode()


@pytest.mark.req("B-06")
def test_ctrl_c_ends_a_watcher_with_130_and_no_word_of_python(home: Path) -> None:
    process = subprocess.Popen(
        command("-w", "notes", "watch", "--json"),
        cwd=home,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["elected"] is True
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip() == ""


@pytest.mark.req("B-06")
def test_a_reader_that_goes_away_is_no_error(home: Path) -> None:
    (home / "notes" / "memory" / "long.md").write_text("line\n" * 100_000)
    process = subprocess.Popen(
        command("-w", "notes", "get", "--limit", "0", "memory/long.md"),
        cwd=home,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


@pytest.mark.req("R-03")
def test_a_terminal_gets_colour_within_its_width_and_a_pipe_gets_neither(home: Path) -> None:
    vade(home, "-w", "notes", "log", "The otter " + "swims and " * 30 + "\x1b[31mbites.")
    arguments = ["-w", "notes", "search", "--keyword", "otter"]
    shown = at_a_terminal(home, arguments)
    assert "\x1b[" in shown
    assert "\x1b[31m" not in shown
    assert r"\x1b[31mbites" in shown.replace("\r\n", "").replace("   ", "")
    piped = vade(home, *arguments).stdout
    assert "\x1b" not in piped
    assert any(len(row) > 200 for row in piped.split("\n"))
    plain = at_a_terminal(home, arguments, NO_COLOR="1")
    assert "\x1b[3" not in plain
    rows = re.sub(r"\x1b\[[0-9;]*m", "", plain).split("\r\n")
    assert all(len(row) <= 60 for row in rows)


@pytest.mark.req("R-06")
def test_get_prints_exact_bytes_to_a_pipe_and_safe_text_to_a_terminal(home: Path) -> None:
    exact = b"\xef\xbb\xbfone\r\n\x1b[2Jtwo \xff\n"
    (home / "notes" / "odd.md").write_bytes(exact)
    arguments = ["-w", "notes", "get", "odd.md"]
    piped = subprocess.run(
        command(*arguments), cwd=home, env=environment(home), capture_output=True, check=True
    )
    assert piped.stdout == exact
    assert r"\x1b[2Jtwo" in at_a_terminal(home, arguments)


@pytest.mark.req("B-06")
def test_a_stream_that_cannot_write_every_character_gets_escapes(home: Path) -> None:
    vade(home, "-w", "notes", "log", "Der Kormoran fängt Fische 鵜")
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    shown = vade(home, "-w", "notes", "search", "--keyword", "Kormoran", **ascii_only)
    assert shown.returncode == 0
    assert r"f\xe4ngt" in shown.stdout
    document = vade(home, "-w", "notes", "search", "--keyword", "Kormoran", "--json", **ascii_only)
    assert "fängt Fische 鵜" in json.loads(document.stdout)["hits"][0]["text"]


@pytest.mark.req("R-07")
def test_search_by_meaning_without_an_embedder_says_so(home: Path) -> None:
    vade(home, "-w", "notes", "log", "The otter swims.")
    shown = vade(home, "-w", "notes", "recall", "otter", VADE_EMBEDDER_PROVIDER="none")
    assert shown.returncode == 0
    assert "The otter swims." in shown.stdout


@pytest.mark.req("B-06")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_stream_that_was_closed_is_no_error(home: Path, closed: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m vademecum -w notes log hello {closed}'],
        cwd=home,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.req("B-06")
@pytest.mark.parametrize("verb", ["log", "search", "recall"])
def test_a_closed_standard_input_is_said(home: Path, verb: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m vademecum -w notes {verb} - <&-'],
        cwd=home,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: Standard input is closed.")


@pytest.mark.req("F-06", "B-06")
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_an_endless_standard_input_is_refused(home: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            command("-w", "notes", "log", "-"),
            cwd=home,
            env=environment(home),
            stdin=endless,
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: Standard input has more than")


@pytest.mark.req("F-07", "B-06")
def test_a_write_that_changes_nothing_says_so_in_every_form(home: Path) -> None:
    vade(home, "-w", "notes", "now", "set", "plan")
    assert vade(home, "-w", "notes", "now", "set", "plan").stdout == "NOW.md is unchanged.\n"
    unsaved = vade(home, "-w", "notes", "now", "edit", "--json", EDITOR="true")
    assert json.loads(unsaved.stdout)["change"] == ""


@pytest.mark.req("B-06")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_under_the_output_is_said(home: Path, form: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("-w", "notes", "log", "hello", *form),
            cwd=home,
            env=environment(home),
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert done.returncode == 5
    assert done.stderr.startswith("error: The answer could not be written: No space left")
    assert "history" in done.stderr, "the entry is written, and must not be logged twice"
    assert "log" in vade(home, "-w", "notes", "history", "-n", "1").stdout
