"""Timers of the system that run jobs: systemd, launchd, cron."""
