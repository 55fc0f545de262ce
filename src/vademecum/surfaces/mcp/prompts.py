"""Prompts that a host offers its user: saving before compaction, and reflecting on a day."""

from __future__ import annotations

from vademecum.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Offered:
    """One prompt: its name, what it is for, its optional argument and the text for the model."""

    name: str
    title: str
    description: str
    text: str
    argument: str = ""
    argument_description: str = ""

    def filled(self, value: str) -> str:
        """Return the text with the argument in it."""
        said = f"{self.argument}: {value}" if value else ""
        return self.text.replace("{argument}", said).rstrip()


PROMPTS = (
    Offered(
        "flush",
        "Save to memory before compaction",
        "Write down what must outlive this context window.",
        "This context window is about to be compacted. Save now what has to outlive it, and only "
        "what memory does not have yet.\n\n"
        "1. memory_log: what was done, decided and found since the last entry, the user's words as "
        "`User: …`.\n"
        "2. memory_remember: each lasting claim by itself (preference, decision, fact, lesson), "
        "with `source` and `quote` where the log has the words. Nothing you only guess at, no "
        "secrets, nothing that memory itself returned.\n"
        "3. memory_now: goal, open threads, files in work, next step, such that a reader without "
        "this conversation can go on.\n\n"
        "Do it silently. When there is nothing to save, answer exactly NO_REPLY.\n\n{argument}",
        "note",
        "Something that must not be lost.",
    ),
    Offered(
        "reflect",
        "Reflect on a day",
        "Compare what was planned with what happened and write back what was learnt.",
        "Reflect on one day of work.\n\n"
        "1. Read the day's log (memory_get with the date as target), memory_now, and what "
        "memory_recall knows about its topics.\n"
        "2. Compare plan and reality: what went right, what went wrong and why, what was learnt "
        "about the user, what to change tomorrow.\n"
        "3. Write back each insight that will matter again with memory_remember: `kind` lesson, "
        "decision, person or preference, `source` the lines of the log that show it. What only "
        "you conclude is `inferred`; do not repeat what memory already holds.\n"
        "4. Bring memory_now up to date for tomorrow, then list what memory_review has for the "
        "user.\n\n"
        "Report in a few lines what you wrote and what waits for the user.\n\n{argument}",
        "day",
        "The day, YYYY-MM-DD; today by default.",
    ),
)
BY_NAME = {prompt.name: prompt for prompt in PROMPTS}
