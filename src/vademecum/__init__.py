"""File-first memory for AI agents: plain Markdown, found in milliseconds, kept true by code."""
