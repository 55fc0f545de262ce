"""Text to vectors: the bundled local model, remote providers and a deterministic stand-in."""
