"""Answers from memory; read in the order parse, levels, find, fuse, currency, rank, brief."""
