"""Keep an index in step with the files: look at what moved, read it, embed what is new."""
