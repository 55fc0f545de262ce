"""Git as history of memory: the command, the repository, and why a commit has to wait."""

from vademecum.workspace.git.command import Git, Ran
from vademecum.workspace.git.repository import Nowhere, Repository, repository_of

__all__ = ["Git", "Nowhere", "Ran", "Repository", "repository_of"]
