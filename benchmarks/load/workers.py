"""The processes at work: servers, commands, hooks, a watcher, a job, a program, and a person."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.load.history import History, Operation

_THINGS = ("boiler", "ladder", "invoice", "garden", "engine", "harbour", "bridge", "kettle")
_REFUSED = (2, 3, 4)
_PATIENCE = 120.0


class Worker(threading.Thread):
    """One process, or one after the other, that does random things until told to stop."""

    def __init__(self, name: str, root: Path, history: History, seed: int) -> None:
        super().__init__(name=name, daemon=True)
        self.root = root
        self.history = history
        self.chance = random.Random(f"{seed} {name}")
        self.ready = threading.Event()
        self.stopping = threading.Event()
        self.resting = threading.Event()
        self.count = 0
        self._may_work = threading.Event()
        self._may_work.set()
        self._undoable: list[Operation] = []

    def run(self) -> None:
        try:
            self.start_up()
            self.ready.set()
            while not self.stopping.is_set():
                if not self._may_work.is_set():
                    self.resting.set()
                    self._may_work.wait()
                    self.resting.clear()
                    continue
                self.act()
                self.count += 1
        except Exception as error:  # noqa: BLE001  a worker that dies is a finding, not an end
            self.history.complain(f"{self.name}: {type(error).__name__}: {error}")
        finally:
            self.ready.set()
            self.resting.set()
            self.wind_up()

    def rest(self) -> None:
        """Let it end what it does and do nothing more; `resting` says when it does nothing."""
        self._may_work.clear()

    def go_on(self) -> None:
        """Let it work again."""
        self._may_work.set()

    def start_up(self) -> None:
        """Make ready."""

    def log(self) -> Operation:
        """Write an entry with a word of its own."""
        raise NotImplementedError

    def remember(self) -> Operation:
        """Write a claim with a word of its own."""
        raise NotImplementedError

    def act(self) -> None:
        """Do one thing."""
        raise NotImplementedError

    def wind_up(self) -> None:
        """End what was started."""

    def pick(self, acts: Sequence[tuple[Callable[[], object], float]]) -> None:
        """Do one of some things, by weight."""
        self.chance.choices([act for act, _ in acts], [weight for _, weight in acts])[0]()

    def thing(self) -> str:
        return self.chance.choice(_THINGS)

    def logged(self, word: str) -> str:
        return f"Crate {word} went to the {self.thing()}."

    def claimed(self, word: str) -> str:
        return f"Shelf {word} holds the {self.thing()}"

    def ended(self, operation: Operation, code: int, answer: Any, started: float) -> None:
        """Note how an operation ended."""
        operation.took = time.monotonic() - started
        if code in _REFUSED:
            operation.end = "refused"
        elif code == 0 and isinstance(answer, dict):
            operation.end = "ok"
            operation.changes = (str(answer.get("change") or ""),)
            outcome = answer.get("outcome")
            if outcome in ("known", "already-known", "logged", "logged-only"):
                operation.kind = f"{operation.kind} ({outcome})"
            elif operation.kind in ("log", "remember") and operation.changes[0]:
                self._undoable.append(operation)
        else:
            self.history.complain(f"{self.name}: {operation.kind} ended with {code}: {answer}")


class Started(Worker):
    """A worker that is a process of its own, for as long as the others work."""

    def __init__(
        self, name: str, root: Path, history: History, seed: int, environment: Mapping[str, str]
    ) -> None:
        super().__init__(name, root, history, seed)
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None

    def started(self, *command: str) -> subprocess.Popen[str]:
        """Start a module of Python with pipes to talk to it."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            env=dict(self._environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return self._process

    @property
    def process(self) -> subprocess.Popen[str]:
        """What was started."""
        assert self._process is not None
        return self._process

    def wind_up(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(_PATIENCE)


class Server(Started):
    """An MCP server over standard streams, and the model that calls its tools."""

    def __init__(
        self, name: str, root: Path, history: History, seed: int, environment: Mapping[str, str]
    ) -> None:
        super().__init__(name, root, history, seed, environment)
        self._number = 0

    def start_up(self) -> None:
        self.started("vademecum", "-w", str(self.root), "mcp")
        client = {"name": self.name, "version": "1"}
        self._ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def act(self) -> None:
        self.pick(
            [
                (self.log, 4),
                (self.remember, 4),
                (lambda: self.read("memory_recall", query=self.thing()), 2),
                (lambda: self.read("memory_search", query=self.thing()), 2),
                (lambda: self.read("memory_get", target="NOW.md"), 1),
                (lambda: self.read("memory_status"), 0.3),
                (self.now, 1),
            ]
        )

    def log(self) -> Operation:
        one = self.history.begin("log", "s")
        self._write(one, "memory_log", text=self.logged(one.word))
        return one

    def remember(self) -> Operation:
        one = self.history.begin("remember", "s")
        self._write(one, "memory_remember", text=self.claimed(one.word), kind="fact")
        return one

    def now(self) -> None:
        one = self.history.begin("now", "s")
        self._write(one, "memory_now", text=f"# Now\n\nAt {one.word}.\n")

    def read(self, tool: str, **given: object) -> None:
        answer = self._call(tool, given)
        if answer.get("isError"):
            self.history.complain(f"{self.name}: {tool}: {answer['content'][0]['text']}")

    def _write(self, one: Operation, tool: str, **given: object) -> None:
        started = time.monotonic()
        answer = self._call(tool, given)
        text = answer["content"][0]["text"]
        code = 0 if not answer.get("isError") else 4 if "unexpectedly" not in text else 1
        if code == 4 and "lock" in text:
            self.history.complain(f"{self.name}: {tool}: {text}")
        self.ended(one, code, answer.get("structuredContent") or text, started)

    def _call(self, tool: str, given: Mapping[str, object]) -> dict[str, Any]:
        result: dict[str, Any] = self._ask("tools/call", {"name": tool, "arguments": dict(given)})
        return result

    def _ask(self, method: str, given: object) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": given})
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self._number:
                return message["result"]
        raise RuntimeError(f"the server ended at {method}")

    def _send(self, message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()


class Commands(Worker):
    """One command of `vade` after the other."""

    letter = "c"

    def __init__(
        self, name: str, root: Path, history: History, seed: int, environment: Mapping[str, str]
    ) -> None:
        super().__init__(name, root, history, seed)
        self.environment = environment

    def act(self) -> None:
        self.pick(
            [
                (self.log, 4),
                (self.remember, 4),
                (self.now, 1),
                (self.undo, 1.5),
                (lambda: self.read("search", self.thing(), "--keyword"), 1.5),
                (lambda: self.read("recall", self.thing()), 1.5),
                (lambda: self.read("review"), 0.5),
                (lambda: self.read("history", "-n", "5"), 0.5),
                (lambda: self.read("sync", "--keyword-only"), 0.5),
                (lambda: self.read("doctor"), 0.2),
            ]
        )

    def log(self) -> Operation:
        one = self.history.begin("log", self.letter)
        self.write(one, "log", self.logged(one.word))
        return one

    def remember(self) -> Operation:
        one = self.history.begin("remember", self.letter)
        self.write(one, "remember", self.claimed(one.word), "--kind", "fact")
        return one

    def now(self) -> None:
        one = self.history.begin("now", self.letter)
        self.write(one, "now", "set", f"# Now\n\nAt {one.word}.\n")

    def undo(self) -> None:
        if self._undoable:
            target = self._undoable.pop(self.chance.randrange(len(self._undoable)))
            code, answer = self.vade("undo", target.changes[0])
            if code == 0:
                target.undone = True
            elif code not in _REFUSED:
                self.history.complain(f"{self.name}: undo ended with {code}: {answer}")

    def read(self, *arguments: str) -> None:
        code, answer = self.vade(*arguments)
        if code not in (0, 8):
            self.history.complain(f"{self.name}: {arguments[0]} ended with {code}: {answer}")

    def write(self, one: Operation, *arguments: str) -> None:
        started = time.monotonic()
        code, answer = self.vade(*arguments)
        self.ended(one, code, answer, started)

    def vade(self, *arguments: str, given: str = "") -> tuple[int, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "vademecum", "-w", str(self.root), "--json", *arguments],
            env=dict(self.environment),
            input=given,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        try:
            return done.returncode, json.loads(done.stdout)
        except ValueError:
            return done.returncode, done.stdout + done.stderr


class Hooks(Commands):
    """A host whose sessions begin, ask and end."""

    def act(self) -> None:
        session = f"session-{self.chance.randrange(5)}"
        event = self.chance.choice(("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"))
        fields = {"session_id": session, "cwd": str(self.root), "hook_event_name": event}
        if event == "SessionStart":
            fields["source"] = "startup"
        if event == "UserPromptSubmit":
            fields["prompt"] = f"What about the {self.thing()}?"
        code, answer = self.vade("hook", "claude-code", event, given=json.dumps(fields))
        if code != 0:
            self.history.complain(f"{self.name}: {event} ended with {code}: {answer}")


class Jobs(Commands):
    """Jobs that tidy memory, one after the other."""

    def act(self) -> None:
        self.pick(
            [
                (lambda: self.read("reflect", "--again"), 4),
                (lambda: self.read("heartbeat"), 2),
                (lambda: self.read("archive"), 1),
                (lambda: self.read("promote"), 1),
            ]
        )


class Program(Started):
    """A program that holds one memory open and writes through the library."""

    letter = "p"

    def start_up(self) -> None:
        self.started("benchmarks.load.program", str(self.root))

    def act(self) -> None:
        self.pick([(self.log, 1), (self.remember, 1), (lambda: self._ask({"verb": "sync"}), 1)])

    def log(self) -> Operation:
        one = self.history.begin("log", self.letter)
        self._write(one, self.logged(one.word))
        return one

    def remember(self) -> Operation:
        one = self.history.begin("remember", self.letter)
        self._write(one, self.claimed(one.word))
        return one

    def _write(self, one: Operation, text: str) -> None:
        started = time.monotonic()
        answer = self._ask({"verb": one.kind, "text": text})
        self.ended(one, int(answer["code"]), answer, started)

    def _ask(self, what: object) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the program ended")
        answer: dict[str, Any] = json.loads(line)
        return answer


class Writer(Program):
    """A program that does nothing but write."""

    letter = "w"

    def act(self) -> None:
        self.pick([(self.log, 1), (self.remember, 1)])


class Watcher(Started):
    """`vade watch`, as long as the others work."""

    def start_up(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "vademecum", "-w", str(self.root), "watch"],
            env=dict(self._environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def act(self) -> None:
        self.resting.set()  # it works when files change, not in turns
        self.stopping.wait()

    def wind_up(self) -> None:
        if self.process.poll() is not None:
            assert self.process.stderr is not None
            self.history.complain(f"{self.name} ended: {self.process.stderr.read()}")
        self.process.terminate()
        self.process.wait(_PATIENCE)


class Person(Worker):
    """Somebody who edits a note in an editor that saves by renaming, a few times a second."""

    def act(self) -> None:
        one = self.history.begin("by hand", "h")
        file = self.root / "memory" / "projects" / "hand.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text(encoding="utf-8") if file.exists() else "# By hand\n"
        beside = file.with_name(".hand.tmp")
        beside.write_text(f"{text}\nTyped {one.word}.\n", encoding="utf-8")
        beside.replace(file)
        one.end = "ok"
        self.stopping.wait(self.chance.uniform(0.1, 0.6))
