"""Text to values and back, pure: no module here reads or writes a file."""
