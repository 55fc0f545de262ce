"""Cues of a day: what went right or wrong, what is only considered, what only happened."""

from __future__ import annotations

import enum

from vademecum.core.patterns import later
from vademecum.markdown.compare.words import ENDED, PLAIN
from vademecum.markdown.sentences import LASTING, States


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
_DEALT_WITH = later(
    r"(?i)\b(?:passe[ds]|works?|worked|runs?|green|fine|up|back|fixed|solved|resolved)"
    r" (?:again|now|by now|since)\b"
    r"|\b(?:now|then|since|finally) (?:fixed|solved|resolved|works?|passe[ds]|green|fine)\b"
    r"|\b(?:wieder|jetzt) (?:grün|gut|heil|behoben|gelöst|erreichbar)\b|\bläuft (?:wieder|jetzt)\b"
    r"|(?:已经?|后来|现在)(?:修复|修好|解决|恢复)|修好了|恢复了|又通过了|直った|復旧した"
)
_HOLDS = later(
    r"(?i)\b(?:is|are|isn't|aren't|has|have|will|shall|should|needs?|can|cannot|can't|may|ist|sind"
    r"|hat|haben|wird|werden|soll(?:en)?|kann|können)\b|是|为|将|会|要|です|である|ます"
)
_HAPPENED = later(
    r"(?i)^\W*(?:(?:i|we|he|she|they|it|today|yesterday|also|then|just|all|both)\b,? )*"
    r"(?:(?!need|feed|speed|seed|embedded|shared|unused|limited|nested|hosted)[a-z]{2,}ed"
    r"|read|had|went|met|wrote|sent|ran|took|made|got|saw"
    r"|spoke|gave|found|built|broke|began|came|did|drank|ate|drove|fell|felt|heard|held|kept|left"
    r"|lost|paid|put|said|sat|told|thought|tried|cut|split|caught|brought|bought|taught)\b"
    r"|\b(?:was|were|took|went|came|got|broke|fell|ran out|happened|war|waren|wurden?)\b"
    r"|\b(?!speed|seed|feed|need|indeed|embed)[a-z]{3,}ed"
    r"(?: (?:again|today|yesterday|well|fine|late|early|on time))?\W*\Z"
    r"|^\W*(?:habe|haben|hatte|hatten)\b"
    r"|^(?:今天|昨天|刚才|刚刚|上午|下午|早上|晚上|中午)|[\u4e00-\u9fff]了(?!解)"
    r"|(?:した|だった|でした|ました|った)[。.]?\Z"
)
_CAME_OUT = later(  # how one run of something ended, whatever reason follows
    r"(?i)^\W*(?:(?!(?:that|which|who|if|when|whenever|retry)\b)[\w'’#./-]+ ){1,6}?"
    r"(?:failed|crashed|timed out|broke(?: down)?|hung|froze|stalled|stopped|aborted|died|errored"
    r"|restarted|rebooted|recovered|expired|passed|succeeded|finished|completed|ran out|worked)"
    r"(?=\s*(?:[.,;:!]|\Z)|\s+(?:because|since|when|while|after|as|due|owing|with|without|at|on|in"
    r"|from|for|during|again|to|and|but|once|twice|yesterday|today|this|last|responding|working)\b)"
    r"|\b(?:schlug(?:en)? fehl|scheiterten?|stürzten? ab|brach(?:en)? ab|fiel(?:en)? aus"
    r"|(?:ist|sind) (?:heute |gestern |wieder )?(?:fehlgeschlagen|gescheitert|abgestürzt"
    r"|ausgefallen|abgebrochen|abgelaufen|durchgelaufen|stehen ?geblieben))\b"
    r"|^(?!.*(?:如果|若|一旦|每次|总是|就会|のとき|場合)).*(?:失败|崩溃|超时|报错|中断|挂掉|失敗|落ち)(?:了|[，。,.、]|\Z)"
)
_IDLE = later(
    r"(?i)\b(?:no news|nothing (?:new|unusual|special|to report|happened|changed)|as usual"
    r"|small ?talk|chit-?chat|nichts neues|wie immer)\b"
    r"|没什么|一切正常|闲聊|特になし|異常なし|雑談"
)
_MEALS = later(r"(?i)\b(?:lunch|coffee break|mittag(?:essen|spause)|kaffeepause)\b|午饭|午餐|昼食")
_HABIT = later(
    r"(?i)\b(?:is|are|gets?|wird|werden)\b.*\b(?:every|each|daily|weekly|nightly|always|usually"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|jeden?|immer|montags|freitags)\b"
    r"|每(?:天|日|周|月|次)|毎(?:日|週|月|回)"
)
_AHEAD = later(
    r"(?i)\b(?:tomorrow|next (?:week|day|morning)|morgen|nächste woche)\b|明天|下周|明日|来週"
)
_FIRST_WORDS = 24
"""Characters in which a success stands that is about a failure: `Fixed the crash`."""


def went(said: str) -> Went | None:
    """Return how what a sentence tells went, by cue words; None where it tells no outcome.

    A denied failure is a success and a denied success a failure. Of a sentence with both, a success
    at its beginning or its end decides: it is about a failure that was dealt with. What succeeds by
    habit (`is deployed on Fridays`) is how things are.
    """
    right, wrong = _RIGHT.search(said), _WRONG.search(said)
    if _MEALS.search(said) or (wrong is None and _HABIT.search(said)):
        return None
    if wrong is not None and _DEALT_WITH.search(said, wrong.end()) and not denies(said):
        return Went.RIGHT
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


def is_passing(said: str, stated: States) -> bool:
    """Whether a sentence tells what happened, or nothing at all, rather than what holds.

    That somebody read release notes is no fact about a project: the log has it, and that is enough.
    A fact is told by the form of its verb; decisions, lessons and the like are never passing.
    """
    if stated not in (States.FACT, States.PROJECT):
        return False
    happened = bool(_HAPPENED.search(said)) and not _HOLDS.search(said)
    return happened or bool(_CAME_OUT.search(said) or _IDLE.search(said))


def lasts(said: str, stated: States) -> bool:
    """Whether what a sentence of a log states is worth a line in memory."""
    return stated in LASTING and not is_passing(said, stated)


def is_ahead(said: str) -> bool:
    """Whether a sentence speaks of tomorrow."""
    return bool(_AHEAD.search(said))
