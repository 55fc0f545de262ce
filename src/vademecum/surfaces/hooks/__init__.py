"""Hooks: one event of a coding agent in, one JSON answer out, on the standard library alone."""
