"""Values, ports and errors that every other layer speaks in; standard library only, no I/O."""
