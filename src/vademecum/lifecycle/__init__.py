"""Jobs that tidy memory: heartbeat, reflection, promotion, archive; each plans, then applies."""
