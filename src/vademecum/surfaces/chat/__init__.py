"""A small agent with memory: one loop over any model, with the tools of the MCP surface."""
