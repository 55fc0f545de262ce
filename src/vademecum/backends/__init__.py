"""Implementations of the ports; only service.wiring names one."""
