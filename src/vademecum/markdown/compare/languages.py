"""Which languages are read in which script."""

from __future__ import annotations

from vademecum.markdown.compare.chinese import CHINESE
from vademecum.markdown.compare.english import ENGLISH
from vademecum.markdown.compare.frames import Language
from vademecum.markdown.compare.further import FRENCH, KOREAN, SPANISH
from vademecum.markdown.compare.german import GERMAN
from vademecum.markdown.compare.japanese import JAPANESE

LANGUAGES: dict[str, tuple[Language, ...]] = {
    "latin": (ENGLISH, GERMAN, SPANISH, FRENCH),
    "chinese": (CHINESE,),
    "japanese": (JAPANESE,),
    "korean": (KOREAN,),
}
"""Every language reads only what holds one of its own verbs."""
