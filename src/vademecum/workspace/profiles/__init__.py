"""Profiles: how each kind of workspace names its files, and how a directory's kind is told."""

from vademecum.workspace.profiles.detect import detect_profile, fit_profile
from vademecum.workspace.profiles.known import PROFILES, STANDARD, profile_named
from vademecum.workspace.profiles.profile import Profile
from vademecum.workspace.profiles.scaffold import Scaffold, scaffold_of

__all__ = [
    "PROFILES",
    "STANDARD",
    "Profile",
    "Scaffold",
    "detect_profile",
    "fit_profile",
    "profile_named",
    "scaffold_of",
]
