"""How Chinese spells slots: 住在, 在…工作, X的R是, 用X做Y, 改为."""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.frames import LABEL, Frame, Language, Pattern
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.words import MANY_NOUNS, SINGLE_MARKS

_S = r"^(?P<s>.+?)(?:已经|已|刚刚|刚|最近)?"
_LE = r"了?$"
_UNIQUE_ROLE = (
    r"(?:负责人|队长|组长|总经理|经理|首席执行官|总统|总理|市长|省长|主席|首都|省会|校长|院长|"
    r"主编|所有者|老板|主管|教练)"
)
_VERBS = later(
    r",|(?<!小)说(?!明)|(?<![理思])想|(?<![主重需])要|(?<![站周例晨早晚年约开])会(?!议)|将|"
    r"认为|希望|打算|计划|以前|曾|小时候|如果|可能|也许|过去"
)


def _copula(frame: Frame, match: re.Match[str]) -> Frame | None:
    subject = match["s"]
    mark = SINGLE_MARKS.search(subject)
    if mark and mark.group(0) != subject:
        return replace(frame, strength="single")
    head = subject.rsplit("的", 1)[-1]
    if head in MANY_NOUNS:
        return replace(frame, strength="many")
    if match["v"].endswith("的"):
        return replace(frame, strength="open")
    return replace(frame, strength="single" if names_slot(subject) else "open")


_PATTERNS = (
    LABEL,
    Pattern(
        "lives",
        "lives in one place",
        (_S + r"(?:居住在|住在|定居在|生活在|家住)(?P<v>.+?)" + _LE),
    ),
    Pattern(
        "lives",
        "moved to another place",
        (_S + r"(?:从(?P<x>.+?))?(?:搬家到|搬到|搬去|迁居到|移居到?|迁到)了?(?P<v>.+?)" + _LE),
        changed=True,
    ),
    Pattern(
        "works at",
        "works at one place",
        (_S + r"在(?P<v>.+?)(?:工作|上班|任职|就职)" + _LE),
    ),
    Pattern(
        "works at",
        "works at one place",
        (_S + r"(?:就职于|任职于|供职于|跳槽到|入职)了?(?P<v>.+?)" + _LE),
    ),
    Pattern(
        "happened",
        "happens once, in one place",
        (_S + r"(?P<q>出生|去世|成立|创立)(?:在|于)(?P<v>.+?)" + _LE),
    ),
    Pattern(
        "made by",
        "is made by one",
        (_S + r"由(?P<v>.+?)(?P<q>创立|创建|发明|开发|撰写|导演|设计|创作|负责|维护)" + _LE),
    ),
    Pattern("married to", "married to one person", (_S + r"(?:和|与|跟)(?P<v>.+?)结婚" + _LE)),
    Pattern("called", "has one name", (_S + r"(?:改名叫|改名为|叫做|叫|名为)(?P<v>.+?)" + _LE)),
    Pattern(
        "attribute",
        "does it with another thing now",
        (
            r"^(?P<s>.+?) ?的(?P<q>[^的,]{1,8}?)(?:改用|换用|改为使用|改成用|换成|改成|改为)了?"
            r"(?P<v>.+?)" + _LE
        ),
        changed=True,
    ),
    Pattern(
        "attribute",
        "says what is so now",
        (
            r"^(?P<s>.+?) ?的(?P<q>[^的,]{0,7}?[^的,改换])(?:使用|采用|用的是|用)"
            r"(?P<v>[^来作做写处管的].*?)" + _LE
        ),
        strength="open",
    ),
    Pattern(
        "attribute",
        "the slot holds one value",
        (r"^(?P<s>.+?) ?的(?P<q>[^的,]{1,8}?)(?:是|为) ?(?P<v>[A-Za-z0-9].*?)$"),
        strength="open",
    ),
    Pattern(
        "attribute",
        "uses one thing for it",
        (
            r"^(?P<s>.+?)(?:改用|换用|使用|采用|用)(?P<v>[^的]+?)(?:做|作为|作|当作|当)"
            r"(?P<q>[^的,]{1,8}?)" + _LE
        ),
    ),
    Pattern(
        "uses for",
        "uses one thing for it",
        (
            r"^(?P<s>.*?)(?:改用|换用|使用|采用|用)(?P<v>.+?)(?P<q>(?:来|作为|做|写|处理|管理|"
            r"部署|存储|进行|编写).+?)" + _LE
        ),
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (
            r"^(?P<s>.*?)(?:已经|已)?(?:从|由|把|将)(?P<x>.+?)(?:换成|改成|改为|改用|升级到|"
            r"升级为|迁移到|切换到|切换成|变成|替换为|替换成)了?"
            r"(?P<v>.+?)" + _LE
        ),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "uses several things",
        (r"^(?P<s>.*?)(?:改用|换用|使用|采用|用)(?P<v>.+?)" + _LE),
        strength="many",
    ),
    Pattern(
        "prefers",
        "prefers one of a kind",
        (_S + r"(?:更喜欢|喜欢|偏好|偏爱|倾向于|习惯用)(?P<v>.+?)" + _LE),
        strength="preference",
    ),
    Pattern(
        "is",
        "has been changed to",
        (
            _S + r"(?:从(?P<x>.+?))?(?:改为|改成|改到|改在|换成|变更为|变为|调整为|调整到|推迟到|"
            r"推迟至|延期到|延期至|提前到|更新为|更新到|"
            r"升级到|升级为|移到|涨到|降到|上调至|下调至)了?(?P<v>.+?)" + _LE
        ),
        changed=True,
    ),
    Pattern(
        "is",
        "has one date",
        (
            _S + r"(?:计划在|计划于|定在|定于|安排在|预计在|预计于|截止到|在)"
            r"(?P<v>[-\d一二三四五六七八九十周星礼月日号点:半上下午凌晨晚 ]+?)" + _LE
        ),
    ),
    Pattern(
        "is",
        "the holder of one office",
        (rf"^(?P<v>[^的]{{1,12}}?)(?:是|成为|担任)了?(?P<s>.+?的?{_UNIQUE_ROLE})$"),
    ),
    Pattern(
        "is",
        "the slot holds one value",
        (r"^(?P<s>.+?)(?:是|为)(?P<v>.+?)$"),
        strength="open",
        reader=_copula,
    ),
)

CHINESE = Language(
    trigger=later(
        r"[住搬迁移在于由和与跟叫名用把将喜偏倾习改换变调推延提更升涨降计定安预截是为成担:从"
        r"入供就跳]"
    ),
    patterns=_PATTERNS,
    unfit_subject=_VERBS,
    article=later(r"^(?:这个|那个|该)"),
)
