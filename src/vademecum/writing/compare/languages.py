"""Which languages are read in which script."""

from __future__ import annotations

from vademecum.writing.compare.chinese import CHINESE
from vademecum.writing.compare.english import ENGLISH
from vademecum.writing.compare.frames import Language
from vademecum.writing.compare.further import FRENCH, KOREAN, SPANISH
from vademecum.writing.compare.german import GERMAN
from vademecum.writing.compare.japanese import JAPANESE

LANGUAGES: dict[str, tuple[Language, ...]] = {
    "latin": (ENGLISH, GERMAN, SPANISH, FRENCH),
    "chinese": (CHINESE,),
    "japanese": (JAPANESE,),
    "korean": (KOREAN,),
}
"""Every language reads only what holds one of its own verbs."""
