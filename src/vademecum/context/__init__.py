"""Context: what a fresh window opens with, and what was said in it, kept."""
