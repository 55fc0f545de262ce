"""Models behind the port `Model`: programs that answer a prompt."""
