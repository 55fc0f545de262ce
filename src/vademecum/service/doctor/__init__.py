"""The doctor: one function a check, in tables, over files, index, configuration and system."""
