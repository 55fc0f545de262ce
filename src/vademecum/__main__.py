"""`python -m vademecum`: the command `vade` where its script is not on the path."""

from vademecum.surfaces.cli.start import run

run()
