# Short names for what is done often; CI runs the same scripts.

python := ".venv/bin/python"

# Show what there is.
default:
    @just --list

# Set up `.venv` and ask the sample memory a question.
try:
    python3 scripts/try.py

# Everything a change must pass (seconds to set up, minutes to run).
check:
    python3 scripts/check.py

# The same without the tests.
quick:
    python3 scripts/check.py --quick

# The same with fault, client and load tests: what CI runs.
ci:
    bash .ci/run

# Some tests: `just test tests/markdown -k chunk`.
test *arguments:
    {{python}} -m pytest {{arguments}}

# Put the code into its form.
format:
    .venv/bin/ruff format
    .venv/bin/ruff check --fix

# Write docs/reference/ from the code, and the README's tour from a run.
reference:
    {{python}} scripts/reference.py
    {{python}} scripts/tour.py

# Measure speed; results go to benchmarks/RESULTS.md.
speed *arguments:
    {{python}} -m benchmarks.speed {{arguments}}
