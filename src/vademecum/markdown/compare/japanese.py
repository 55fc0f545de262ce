"""How Japanese spells slots: に住んでいる, で働いている, XのRはVです, YにはXを使っている."""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.frames import LABEL, Frame, Language, Pattern
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.words import MANY_NOUNS, SINGLE_MARKS

_S = r"^(?P<s>.+?)[はが]、?"
_IRU = r"(?:いる|います|る|ます)$"
_DESU = r"(?:です|だ|である|だよ)?$"
_TA = r"(?:した|しました|された|されました|になった|になりました|た|ました)$"
_UNIQUE_ROLE = (
    r"(?:リーダー|責任者|部長|課長|社長|会長|首相|大統領|知事|市長|校長|院長|編集長|首都|監督|"
    r"キャプテン|代表|"
    r"マネージャー|オーナー|上司|担当者)"
)


def _copula(frame: Frame, match: re.Match[str]) -> Frame | None:
    subject, value = match["s"], match["v"]
    if value.endswith(("い", "た", "る", "せん", "ます", "好き", "嫌い")):
        return None
    if SINGLE_MARKS.search(subject):
        return replace(frame, strength="single")
    head = subject.rsplit("の", 1)[-1]
    if head in MANY_NOUNS:
        return replace(frame, strength="many")
    if value.endswith("もの"):
        return replace(frame, strength="open")
    return replace(frame, strength="single" if names_slot(subject) else "open")


_PATTERNS = (
    LABEL,
    Pattern(
        "lives",
        "lives in one place",
        (_S + r"(?P<v>.+?)に(?:住んで|居住して|在住して|暮らして)" + _IRU),
    ),
    Pattern(
        "lives",
        "moved to another place",
        (
            _S
            + r"(?:(?P<x>.+?)から)?(?P<v>.+?)[にへ](?:引っ越し|引越し|移住し|転居し)(?:た|ました)$"
        ),
        changed=True,
    ),
    Pattern(
        "works at",
        "works at one place",
        (_S + r"(?P<v>.+?)(?:で働いて|に勤めて|に勤務して|で勤務して)" + _IRU),
    ),
    Pattern(
        "works at",
        "moved to another employer",
        (_S + r"(?P<v>.+?)に(?:転職|入社)(?:した|しました)$"),
        changed=True,
    ),
    Pattern("works as", "works as one thing", (_S + r"(?P<v>.+?)として働いて" + _IRU)),
    Pattern(
        "happened",
        "happens once, in one place",
        (_S + r"(?P<v>.+?)[でに](?P<q>生まれ|亡くなっ|設立され|創立され)(?:た|ました)$"),
    ),
    Pattern(
        "made by",
        "is made by one",
        (
            _S + r"(?P<v>.+?)(?:によって|が)(?P<q>設立|創立|発明|開発|設計|作成)(?:された|"
            r"されました|した|しました)$"
        ),
    ),
    Pattern(
        "called",
        "has one name",
        (_S + r"(?P<v>.+?)(?:という名前|と呼ばれて|という)(?:です|だ|いる|います)?$"),
    ),
    Pattern(
        "runs on",
        "runs on one",
        (_S + r"(?P<v>.+?)[でに](?:動いて|稼働して|動作して)" + _IRU),
    ),
    Pattern("written in", "is written in one language", (_S + r"(?P<v>.+?)で書かれて" + _IRU)),
    Pattern(
        "attribute",
        "uses one thing for it",
        (
            r"^(?P<s>[^はが]+?)の(?P<q>[^のはが]{1,10}?)(?:には、?|は、?|に)(?P<v>[^はに]+?)を"
            r"(?:使って|使用して|利用して|採用して)" + _IRU
        ),
    ),
    Pattern(
        "attribute",
        "uses one thing for it",
        (
            r"^(?P<s>.+?)は、?(?P<q>[^はの、]{1,10}?)に(?:は、?)?(?P<v>[^はに]+?)を(?:使って|使用して|"
            r"利用して|採用して)" + _IRU
        ),
    ),
    Pattern(
        "attribute",
        "the slot holds one value",
        (
            r"^(?P<s>[^はが]+?)の(?P<q>[^のはが]{1,10}?)は、?(?P<v>[A-Za-z0-9ァ-ヺ][^はが]*?)"
            + _DESU
        ),
        strength="open",
    ),
    Pattern(
        "uses for",
        "uses one thing for it",
        (
            r"^(?:(?P<s>.+?)は、?)?(?P<q>[^は]+?)に(?:は、?)?(?P<v>[^はに]+?)を"
            r"(?:(?:使って|使用して|利用して|採用して)(?:いる|います)|使うこと(?:にした|に決めた)|"
            r"使用する|使う|採用した)$"
        ),
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (
            r"^(?P<s>.+?)[はがを]、?(?P<x>.+?)から(?P<v>.+?)[にへ](?:変更|移行|切り替え|"
            r"乗り換え|更新|変わっ|変わり|切替|移転)" + _TA
        ),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "uses several things",
        (_S + r"(?P<v>.+?)を(?:使って|使用して|利用して)" + _IRU),
        strength="many",
    ),
    Pattern(
        "prefers",
        "prefers one of a kind",
        (
            _S + r"(?P<v>.+?)(?:を(?:好む|好みます|好んでいる|希望する)|の(?:ほう|方)が(?:好き|"
            r"良い|いい).*)$"
        ),
        strength="preference",
    ),
    Pattern(
        "is",
        "has been changed to",
        (
            r"^(?P<s>.+?)[はがを]、?(?:(?P<x>.+?)から)?(?P<v>.+?)[にへ](?:変更|延期|移動|改名|"
            r"更新|決定|切り替え|変わっ|変わり|なっ|なり|引き上げ|引き下げ)"
            r"(?:された|されました|した|しました|になった|になりました|た|ました|られた)$"
        ),
        changed=True,
    ),
    Pattern("is", "has one date", (_S + r"(?P<v>.+?)の予定" + _DESU)),
    Pattern(
        "is",
        "has one date",
        (_S + r"(?P<v>.+?)に(?:予定されて|設定されて|行われて)" + _IRU),
    ),
    Pattern(
        "is",
        "the holder of one office",
        (rf"^(?P<v>[^はがの]+?)[はが](?P<s>[^はが]*?の?{_UNIQUE_ROLE})" + _DESU),
    ),
    Pattern(
        "is",
        "the slot holds one value",
        (r"^(?P<s>.+?)は、?(?P<v>.+?)(?:から)?" + _DESU),
        strength="open",
        reader=_copula,
    ),
)

JAPANESE = Language(
    trigger=later(r"[はがを:]"),
    patterns=_PATTERNS,
    unfit_subject=later(r"(?:,|以前|昔|子供の頃|かつて|もし|たぶん|おそらく)"),
    article=later(r"^(?:この|その|あの)"),
)
