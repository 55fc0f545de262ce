"""Moving in: what other systems left behind becomes memory, every line accounted for."""
