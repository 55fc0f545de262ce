"""The command `vade` as the README shows it: after the sample's last day, with the real model."""

import sys

from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock

clock = FrozenClock("2026-11-06T17:05:00", "Europe/Berlin")
sys.exit(status_of(sys.argv[1:], Call(clock=clock)))
