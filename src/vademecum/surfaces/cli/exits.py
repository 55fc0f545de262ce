"""Exit codes of every command, and what each means."""

from __future__ import annotations

OK = 0
UNEXPECTED = 1
DEFECTS = 8
INTERRUPTED = 130
PIPE_CLOSED = 141

MEANING = {
    OK: "done",
    UNEXPECTED: "unexpected: a defect of vademecum itself",
    2: "bad input: the call cannot be carried out as it was made",
    3: "not found: workspace, note or write",
    4: "refused: discipline forbids it, nothing was changed",
    5: "storage failed: disk, permissions or a lock",
    6: "index unusable; the files are intact",
    7: "an embedder, a model or a remote did not answer",
    DEFECTS: "doctor found defects",
    INTERRUPTED: "interrupted",
    PIPE_CLOSED: "the reader closed the pipe",
}
"""Those from 1 to 7 are the exit codes of the error tree in `core/errors.py`."""
