"""A directory of Markdown on disk: profiles, paths, locks, safe writes, ledger, configuration."""
