"""How fast the product is, always beside a baseline measured in the same run."""
