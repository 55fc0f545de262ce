"""Memory for models: a server of the Model Context Protocol over standard streams or HTTP."""
