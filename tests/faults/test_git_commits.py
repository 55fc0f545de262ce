"""Git as history: commits behind the writes, in any state a repository may be in."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.provenance import Actor
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import Workspace, open_workspace
from vademecum.writing.commit import Committed, commit
from vademecum.writing.forget import forget
from vademecum.writing.git_setup import remove, setup, standing
from vademecum.writing.log import append_entry
from vademecum.writing.signing import sign

pytestmark = pytest.mark.req("B-02", "W-06")
ADA, BOB = Actor("ada", "s1"), Actor("bob")
LOG = "memory/2026-01-20.md"


class Repo:
    """A repository as its user sees it: with hooks, an identity and a working tree."""

    def __init__(self, top: Path) -> None:
        self.top = top
        top.mkdir(parents=True, exist_ok=True)
        self("init", "-q", "-b", "main")
        self("config", "user.name", "Owner")
        self("config", "user.email", "owner@example.org")

    def __call__(self, *arguments: str, check: bool = True) -> str:
        environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(self.top.parent)}
        done = subprocess.run(
            ["git", *arguments], cwd=self.top, capture_output=True, text=True, env=environment
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def first_commit(self, **files: str) -> None:
        for name, text in files.items():
            (self.top / name).write_text(text)
        self("add", "-A")
        self("commit", "-q", "-m", "first", "--allow-empty")

    @property
    def subjects(self) -> list[str]:
        return self("log", "--format=%s").splitlines()


Opened = Callable[..., tuple[Repo, Workspace]]


@pytest.fixture
def opened(tmp_path: Path, clock: FrozenClock) -> Opened:
    def make(below: str = "", first: bool = True) -> tuple[Repo, Workspace]:
        repo = Repo(tmp_path / "repo")
        root = repo.top / below if below else repo.top
        root.mkdir(exist_ok=True)
        (root / "vade.toml").write_text('[workspace]\nid = "w"\nprofile = "standard"\n')
        if first:
            repo.first_commit(code="print()\n")
        variables = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
        workspace = open_workspace(root, variables=variables, clock=clock)
        setup(workspace, actor=Actor("owner"), command="vade")
        repo("add", "-A")
        repo("commit", "-q", "-m", "setup")
        return repo, workspace

    return make


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-20T10:30:00")


def rewrite(workspace: Workspace, path: str, text: str, actor: Actor) -> None:
    if workspace.files.exists(path):
        base = workspace.files.read(path)
        workspace.files.replace(base, text.encode(), sign(workspace, actor, "remember", path))
    else:
        workspace.files.create(path, text.encode(), sign(workspace, actor, "remember", path))


def test_each_actor_and_verb_is_a_commit_with_trailers(opened: Opened) -> None:
    repo, workspace = opened()
    one = append_entry(workspace, "First.", actor=ADA)
    append_entry(workspace, "Second.", actor=ADA)
    append_entry(workspace, "Third.", actor=BOB)
    rewrite(workspace, "memory/a.md", "- a\n", BOB)
    assert commit(workspace) == Committed(3, 4)
    assert repo("log", "-3", "--format=%an|%cn|%s").splitlines() == [
        "bob|Owner|remember: memory/a.md",
        "bob|Owner|log: Third.",
        "ada|Owner|log: First. and 1 more",
    ]
    trailers = repo("log", "-1", "--skip=2", "--format=%(trailers)")
    assert "Vade-Actor: ada\nVade-Session: s1\n" in trailers
    assert f"Vade-Entry: {one.change}\n" in trailers
    old = repo("show", f"HEAD~2:{LOG}")
    assert "Second." in old
    assert "Third." not in old
    assert repo("status", "--porcelain") == ""
    assert repo("fsck", "--strict") == ""
    assert commit(workspace) == Committed()


def test_what_the_user_staged_and_changed_is_exactly_as_it_was(opened: Opened) -> None:
    repo, workspace = opened()
    rewrite(workspace, "memory/a.md", "- a\n", ADA)
    commit(workspace)
    (repo.top / "code").write_text("print(1)\n")
    repo("add", "code")
    (repo.top / "code").write_text("print(2)\n")
    (repo.top / "memory/a.md").write_text("- a\n- by hand\n")
    repo("add", "memory/a.md")
    (repo.top / "new").write_text("untracked\n")
    staged, changed = repo("diff", "--cached", "--", "code"), repo("diff")
    append_entry(workspace, "An event.", actor=ADA)
    rewrite(workspace, "memory/b.md", "- b\n", BOB)
    assert commit(workspace).commits == 2
    assert repo("diff", "--cached", "--", "code") == staged
    assert repo("diff") == changed
    assert "by hand" in repo("diff", "--cached", "--", "memory/a.md")
    assert repo("diff", "--cached", "--name-only").split() == ["code", "memory/a.md"]
    repo("commit", "-q", "-m", "mine")
    assert repo("show", "--stat", "--format=", "HEAD").count("|") == 2
    assert "An event." in repo("show", f"HEAD:{LOG}")


def test_edits_by_hand_are_never_committed_in_an_agents_name(opened: Opened) -> None:
    repo, workspace = opened()
    append_entry(workspace, "By the agent.", actor=ADA)
    log = repo.top / LOG
    log.write_text(log.read_text() + "\nBy hand.\n")
    commit(workspace)
    assert "By hand." not in repo("show", f"HEAD:{LOG}")
    assert repo("status", "--porcelain") == f" M {LOG}\n"


BROKEN: list[tuple[str, Callable[[Repo], object], Callable[[Repo], object]]] = [
    (
        "index.lock",
        lambda repo: (repo.top / ".git/index.lock").write_text(""),
        lambda repo: (repo.top / ".git/index.lock").unlink(),
    ),
    (
        "detached",
        lambda repo: repo("checkout", "-q", "--detach"),
        lambda repo: repo("checkout", "-q", "main"),
    ),
    (
        "merge is not concluded",
        lambda repo: (repo.top / ".git/MERGE_HEAD").write_text(repo("rev-parse", "HEAD")),
        lambda repo: (repo.top / ".git/MERGE_HEAD").unlink(),
    ),
    (
        "in no repository",
        lambda repo: (repo.top / ".git").rename(repo.top.parent / "away"),
        lambda repo: (repo.top.parent / "away").rename(repo.top / ".git"),
    ),
    (
        "",
        lambda repo: (repo.top / ".git/objects").rename(repo.top / ".git/gone"),
        lambda repo: (repo.top / ".git/gone").rename(repo.top / ".git/objects"),
    ),
    (
        "",
        lambda repo: (repo.top / ".git/refs/heads/main.lock").write_text(""),
        lambda repo: (repo.top / ".git/refs/heads/main.lock").unlink(),
    ),
]


@pytest.mark.parametrize(("why", "break_it", "mend"), BROKEN)
def test_a_repository_out_of_order_stops_no_write_and_gets_the_backlog_later(
    opened: Opened,
    why: str,
    break_it: Callable[[Repo], object],
    mend: Callable[[Repo], object],
) -> None:
    repo, workspace = opened()
    break_it(repo)
    append_entry(workspace, "Meanwhile.", actor=ADA)
    done = commit(workspace)
    assert done.commits == 0
    assert done.waiting == 1
    assert why in done.why
    assert done.why
    assert standing(workspace).waiting == 1
    mend(repo)
    assert commit(workspace) == Committed(1, 1)
    assert "Meanwhile." in repo("show", f"HEAD:{LOG}")
    assert repo("status", "--porcelain") == ""


def test_hooks_and_signing_that_fail_are_not_asked(opened: Opened) -> None:
    repo, workspace = opened()
    for name in ("pre-commit", "commit-msg", "reference-transaction", "post-commit"):
        hook = repo.top / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {repo.top.parent}/ran-{name}\nexit 1\n")
        hook.chmod(0o755)
    repo("config", "commit.gpgSign", "true")
    repo("config", "gpg.program", "/bin/false")
    append_entry(workspace, "Signed by nobody.", actor=ADA)
    assert commit(workspace).commits == 1
    assert list(repo.top.parent.glob("ran-*")) == []


def test_only_files_of_the_workspace_in_a_larger_repository(opened: Opened) -> None:
    repo, workspace = opened("agents")
    (repo.top / "code").write_text("changed\n")
    append_entry(workspace, "Below.", actor=ADA)
    assert commit(workspace).commits == 1
    assert repo("show", "--format=", "--name-only", "HEAD").split() == [f"agents/{LOG}"]
    assert repo("status", "--porcelain") == " M code\n"


def test_a_repository_without_a_commit_gets_its_first(tmp_path: Path, clock: FrozenClock) -> None:
    repo = Repo(tmp_path / "empty")
    variables = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state2")}
    workspace = open_workspace(repo.top, variables=variables, clock=clock)
    setup(workspace, actor=ADA, command="vade")
    append_entry(workspace, "Very first.", actor=ADA)
    assert commit(workspace).commits == 1
    assert "Very first." in repo("show", f"HEAD:{LOG}")
    assert repo("status", "--porcelain") == "?? .gitattributes\n"


def test_ignored_files_stay_out(opened: Opened) -> None:
    repo, workspace = opened()
    (repo.top / ".gitignore").write_text("memory/private/\n")
    rewrite(workspace, "memory/private/x.md", "- x\n", ADA)
    rewrite(workspace, "memory/y.md", "- y\n", ADA)
    assert commit(workspace).commits == 1
    assert repo("ls-tree", "-r", "--name-only", "HEAD", "memory").split() == ["memory/y.md"]


def test_a_committer_that_dies_after_moving_the_branch_commits_nothing_twice(
    opened: Opened,
) -> None:
    repo, workspace = opened()
    append_entry(workspace, "Once.", actor=ADA)
    append_entry(workspace, "Twice.", actor=BOB)
    progress = workspace.state / "git" / "progress.json"
    before = progress.read_text()
    commit(workspace)
    head = repo("rev-parse", "HEAD").strip()
    end = workspace.ledger.path.stat().st_size
    died = before.replace('"next_offset": 0', f'"next_offset": {end}')
    progress.write_text(died.replace('"next_head": ""', f'"next_head": "{head}"'))
    assert commit(workspace).commits == 0
    assert repo("rev-parse", "HEAD").strip() == head
    append_entry(workspace, "Thrice.", actor=ADA)
    assert commit(workspace).commits == 1


def test_an_index_that_could_not_be_brought_along_is_brought_along_later(opened: Opened) -> None:
    repo, workspace = opened()
    rewrite(workspace, "memory/a.md", "- a\n", ADA)
    commit(workspace)
    rewrite(workspace, "memory/a.md", "- b\n", ADA)
    index = repo.top / ".git/index"
    good = index.read_bytes()
    index.write_bytes(b"damaged")
    assert commit(workspace).commits == 1
    index.write_bytes(good)
    assert repo("diff", "--cached", "--name-only").strip() == "memory/a.md"
    assert commit(workspace).commits == 0
    assert repo("status", "--porcelain") == ""


def test_setup_changes_nothing_the_second_time_and_can_be_taken_back(opened: Opened) -> None:
    repo, workspace = opened()
    config = (repo.top / ".git/config").read_text()
    assert "merge-file %O %A %B %P --marker-size %L" in config
    attributes = (repo.top / ".gitattributes").read_text()
    assert "/memory/**/*.md merge=vade\n" in attributes
    assert "/memory/.tombstones.jsonl merge=union\n" in attributes
    assert setup(workspace, actor=ADA, command="vade").did == ()
    (repo.top / ".gitattributes").write_text("*.png binary\n" + attributes)
    done = remove(workspace, actor=ADA)
    assert len(done.did) == 3
    assert not done.driver
    assert (repo.top / ".gitattributes").read_text() == "*.png binary\n"
    assert 'merge "vade"' not in (repo.top / ".git/config").read_text()
    append_entry(workspace, "Not committed.", actor=ADA)
    assert commit(workspace) == Committed()
    assert remove(workspace, actor=ADA).did == ()


def test_variables_of_a_git_that_runs_us_are_not_followed(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, workspace = opened()
    other = Repo(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.top / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "nowhere"))
    append_entry(workspace, "Here.", actor=ADA)
    assert commit(workspace).commits == 1
    monkeypatch.undo()
    assert "Here." in repo("show", f"HEAD:{LOG}")


def test_what_was_forgotten_before_it_was_committed_never_is(opened: Opened) -> None:
    repo, workspace = opened()
    rewrite(workspace, "memory/a.md", "- The code is 4711 for everybody ^c7f3a1\n- b\n", ADA)
    rewrite(workspace, "memory/a.md", "- The code is 4711 for everybody ^c7f3a1\n- c\n", ADA)
    forget(workspace, ["^c7f3a1"], actor=ADA)
    commit(workspace)
    assert repo("show", "HEAD:memory/a.md") == "- c\n"
    assert repo("log", "--all", "-S4711", "--format=%h") == ""


@pytest.mark.slow
def test_a_user_who_commits_at_the_same_time_loses_nothing_and_waits_for_nobody(
    opened: Opened,
) -> None:
    repo, workspace = opened()
    failed: list[str] = []

    def user() -> None:
        for number in range(40):
            (repo.top / f"code{number}").write_text("x" * number)
            try:
                repo("add", f"code{number}")
                repo("commit", "-q", "-m", f"user {number}")
            except AssertionError as error:
                failed.append(str(error))

    at_work = threading.Thread(target=user)
    at_work.start()
    for number in range(80):
        append_entry(workspace, f"Event {number}.", actor=(ADA, BOB)[number % 2])
        commit(workspace)
    at_work.join()
    commit(workspace)
    assert failed == []
    before: set[int] = set()
    for name in reversed(repo("log", "--format=%H").split()):
        text = repo("show", f"{name}:{LOG}", check=False)
        now = {number for number in range(80) if f"Event {number}." in text}
        assert before <= now
        before = now
    assert before == set(range(80))
    assert repo("status", "--porcelain") == ""


def test_a_checkout_of_another_branch_is_no_overwritten_edit(opened: Opened) -> None:
    repo, workspace = opened()
    append_entry(workspace, "Said on the first branch", actor=ADA)
    repo("add", "-A")
    repo("commit", "-q", "-m", "memory")
    repo("checkout", "-q", "-b", "other")
    append_entry(workspace, "Said on the other branch", actor=ADA)
    repo("add", "-A")
    repo("commit", "-q", "-m", "more")
    repo("checkout", "-q", "main")
    append_entry(workspace, "Said later", actor=ADA)
    records = workspace.root / ".vade" / "conflicts"
    assert not records.exists()
    # What no commit has is kept, also where Git itself threw it away.
    repo("checkout", "-q", "--", ".")
    append_entry(workspace, "Said at last", actor=ADA)
    (kept,) = records.iterdir()
    assert "Said later" in kept.read_text()
    assert "other branch" not in kept.read_text()
