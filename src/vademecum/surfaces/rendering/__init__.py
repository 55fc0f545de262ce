"""How results look: the one place that turns values into text and JSON, for every surface."""
