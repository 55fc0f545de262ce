"""Eight processes at work in one memory: nothing acknowledged is lost, nothing waits for long."""
