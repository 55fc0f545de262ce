"""Checks of the coding agents that were set up for a workspace: each is asked as it would ask."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.errors import VademecumError
from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.doctor.patient import Patient
from vademecum.service.hosts.known import known
from vademecum.service.hosts.receipts import Receipt, Receipts
from vademecum.service.hosts.round_trip import asked
from vademecum.service.hosts.set_up import missing_parts
from vademecum.workspace.config import environment


def hosts(patient: Patient) -> Iterator[Finding]:
    """A host whose configuration lost parts, or whose hook or server does not answer."""
    for receipt in Receipts(environment()).all():
        if receipt.workspace == str(patient.workspace.root):
            yield from _host(receipt)


def _host(receipt: Receipt) -> Iterator[Finding]:
    setting = receipt.setting(environment())
    scope = " --scope project" if receipt.project else ""
    again = f"vade install {receipt.host}{scope}"
    try:
        about = known(receipt.host)
        lost = missing_parts(receipt, setting)
    except VademecumError as error:
        yield Finding("host-incomplete", Severity.NOTICE, receipt.host, str(error), error.hint)
        return
    for path in lost:
        sentence = f"{about.title} was set up, but not all of it is in this file any more."
        yield Finding("host-incomplete", Severity.NOTICE, path, sentence, again)
    for one in asked(about, setting):
        if not one.works:
            sentence = f"The {one.what} of {about.title} does not answer: {one.told}."
            yield Finding("host-silent", Severity.DEFECT, one.command, sentence, again)


HOST_CHECKS = (hosts,)
"""Every check of coding agents."""
