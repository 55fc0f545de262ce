"""Hosts: what each coding agent tells its hooks, and how it writes its own transcript."""

from vademecum.context.hosts.heard import Host
from vademecum.context.hosts.known import HOSTS, host_named

__all__ = ["HOSTS", "Host", "host_named"]
