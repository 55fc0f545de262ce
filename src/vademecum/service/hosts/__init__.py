"""Hosts: what each coding agent needs in its own configuration, put there and taken back."""
