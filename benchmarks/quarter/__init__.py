"""A quarter of a team's life with memory, simulated: known truths in, questions about them."""
