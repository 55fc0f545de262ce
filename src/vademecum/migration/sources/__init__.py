"""The systems that memory is moved in from, one module each: which file of theirs is what."""
