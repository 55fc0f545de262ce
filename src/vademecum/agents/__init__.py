"""Many agents: which there are, who may read whom, what a coordinator gathers."""
