"""The command `vade` as the stories run it: its clock stands at the instant the story set."""

import os
import sys
from pathlib import Path

from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock, small_embedder

instant = Path(os.environ["VADE_STORY"]).read_text()
sys.exit(status_of(sys.argv[1:], Call(clock=FrozenClock(instant), embedder=small_embedder())))
