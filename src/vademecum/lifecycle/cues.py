"""Cues of a day: whether a sentence tells a success, a failure, or what somebody only considers."""

from __future__ import annotations

import enum

from vademecum.core.patterns import later
from vademecum.markdown.compare.words import ENDED, PLAIN


class Went(enum.StrEnum):
    """How something went, as a sentence tells it."""

    RIGHT = "right"
    WRONG = "wrong"


_RIGHT = later(
    r"(?i)\b(?:shipp?ed|fixed|finished|completed?|done|passe[ds]|succeed(?:ed|s)?|success(?:ful)?"
    r"|successfully|works? (?:now|again|well|fine)|worked (?:well|out|fine|great)|merged|released"
    r"|deployed|launched|solved|resolved|unblocked|delivered|went (?:well|live|smoothly)|on time"
    r"|faster than|fertig|erledigt|gelöst|behoben|geklappt|erfolgreich|abgeschlossen"
    r"|ausgeliefert|bestanden|veröffentlicht)\b"
    r"|完成|成功|搞定|修复|修好|解决了|已上线|上线了|通过了|发布了|合并了"
    r"|完了|解決した|直した|直った|できた|リリースした|合格|うまくいった|終わった"
)
_WRONG = later(
    r"(?i)\b(?:fail(?:ed|s|ing|ure)?|broke(?:n)?|breaks|crash(?:ed|es|ing)?|errors?|bugs?|regress\w*"
    r"|outage|downtime|incident|problems?|stuck|blocked|blocker|late|delayed|missed|overran"
    r"|timed? ?out|lost|forgot|wrong(?:ly)?|mistakes?|rolled back|reverted|flaky|went down"
    r"|fehlgeschlagen|scheiterte|gescheitert|kaputt|fehler|abgestürzt|problem\w*|blockiert"
    r"|verspätet|verpasst|vergessen|ausfall|falsch|zurückgerollt)\b"
    r"|失败|出错|报错|崩溃|故障|问题|阻塞|卡住|超时|延迟|忘了|回滚|丢失"
    r"|失敗|エラー|障害|問題|遅れ|止まっ|落ちた|クラッシュ|忘れ|バグ|タイムアウト"
)
_HEDGED = later(
    r"(?i)\b(?:suggest\w*|propos\w*|maybe|perhaps|might|could|would be|should we|consider\w*"
    r"|what if|thinking (?:about|of)|not sure|probably|possibly|idea|option|let me know"
    r"|if you (?:like|want)|vielleicht|vorschlag\w*|schlage?(?:n)? vor"
    r"|könnte\w*|überleg\w*|eventuell|vermutlich)\b"
    r"|建议|提议|也许|可能|或许|考虑|要不要|是否|不确定"
    r"|提案|かもしれ|たぶん|検討|おそらく|でしょうか"
)
_DENIES = later(
    r"\b(?:nothing|none|nobody|no one|neither|nichts|niemand)\b|没|毫无|なかった|ません"
)
_AHEAD = later(
    r"(?i)\b(?:tomorrow|next (?:week|day|morning)|morgen|nächste woche)\b|明天|下周|明日|来週"
)
_FIRST_WORDS = 24
"""Characters in which a success stands that is about a failure: `Fixed the crash`."""


def went(said: str) -> Went | None:
    """Return how what a sentence tells went, by cue words; None where it tells no outcome.

    A denied failure is a success and a denied success a failure. Of a sentence with both, a success
    at its beginning decides: it is about a failure that was dealt with.
    """
    right, wrong = _RIGHT.search(said), _WRONG.search(said)
    if right is None and wrong is None:
        return None
    if right is not None and wrong is not None:
        return Went.RIGHT if right.start() < min(_FIRST_WORDS, wrong.start()) else Went.WRONG
    return Went.RIGHT if (right is not None) is not denies(said) else Went.WRONG


def denies(said: str) -> bool:
    """Whether a sentence denies something."""
    folded = said.casefold()
    return any(pattern.search(folded) for pattern in (PLAIN, ENDED, _DENIES))


def is_hedged(said: str) -> bool:
    """Whether a sentence weighs something that nobody has settled: a proposal, a maybe."""
    return bool(_HEDGED.search(said))


def is_ahead(said: str) -> bool:
    """Whether a sentence speaks of tomorrow."""
    return bool(_AHEAD.search(said))
