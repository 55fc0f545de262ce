"""Whether a workspace is a conformant bundle of the Open Knowledge Format: `vade doctor --okf`."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.errors import VademecumError
from vademecum.markdown import okf
from vademecum.markdown.lines import decode
from vademecum.service.doctor.finding import Diagnosis, Finding, Severity
from vademecum.workspace.workspace import Workspace

Progress = Callable[[str, int, int], None]


def examine_bundle(workspace: Workspace, *, progress: Progress | None = None) -> Diagnosis:
    """Hold every file of the bundle against the rules of the format; nothing is changed.

    The bundle is the whole workspace where an index in its root declares the format, or the profile
    has no folder of notes; else that folder. A
    breach of what the format requires is a defect, anything else a notice; the code of a finding
    is the id of its rule.
    """
    folder = _folder(workspace)
    paths = [path for path in sorted(workspace.scan().files) if path.startswith(folder)]
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    for number, path in enumerate(paths, 1):
        if progress is not None:
            progress("reading notes", number, len(paths))
        if not path.endswith(".md"):
            continue
        try:
            decoded = decode(workspace.files.read(path).data)
        except VademecumError as error:
            findings.append(Finding(error.code, Severity.DEFECT, path, str(error), error.hint))
            continue
        texts[path.removeprefix(folder)] = decoded.text
        if decoded.defect or decoded.encoding != "utf-8":
            rule = okf.RULES["okf/encoding/utf-8"]
            breach = okf.Breach(rule, path.removeprefix(folder), 1, "is no UTF-8 text")
            findings.append(_finding(breach, folder))
    home = workspace.root / folder

    def exists(target: str) -> bool:
        return not target.startswith("..") and (home / target).exists()

    breaches = okf.check_bundle(texts, now=workspace.clock.now(), exists=exists)
    findings += [_finding(breach, folder) for breach in breaches]
    return Diagnosis(tuple(findings), len(okf.RULES))


def _folder(workspace: Workspace) -> str:
    try:
        if okf.declared_version(decode(workspace.files.read("index.md").data).text):
            return ""  # its root says that the bundle begins there
    except VademecumError:
        pass
    folder = workspace.profile.note_folder
    return f"{folder}/" if folder != "." and (workspace.root / folder).is_dir() else ""


def _finding(breach: okf.Breach, folder: str) -> Finding:
    severity = Severity.DEFECT if breach.rule.required else Severity.NOTICE
    where = f"{folder}{breach.path}:{breach.line}"
    sentence = f"{folder}{breach.path} {breach.sentence}."
    return Finding(breach.rule.id, severity, where, sentence, breach.rule.remedy)
