"""Who speaks in a line of a log: a person, the agent, a tool, somebody else, or the outside."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from vademecum.core.patterns import later


class Speaker(enum.Enum):
    """Whose words a line of a log reports."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    OTHER = "other"
    """Somebody else, whose word is passed on."""
    WEB = "web"
    """A page or message from outside."""


_WORDS = {
    Speaker.PERSON: (
        "user|human|person|customer|client|owner|operator|benutzer(?:in)?|nutzer(?:in)?|kunde"
        "|kundin|用户|用戶|客户|ユーザー|顧客|사용자|usuario|utilisateur"
    ),
    Speaker.AGENT: (
        "assistant|agent|ai|bot|model|llm|claude|codex|gpt|gemini|copilot|assistent(?:in)?|助手|助理"
        "|アシスタント|エージェント"
    ),
    Speaker.TOOL: "tool|output|stdout|stderr|command|shell|terminal|test|ci|werkzeug|工具|ツール",
    Speaker.WEB: (
        "web(?:site| ?page)?|page|url|e-?mail|mail|fetched|scraped|newsletter|(?:news )?article|pdf"
        "|blog(?: ?post)?|(?:text|direct|chat|slack|teams|discord|whatsapp|telegram|signal) message"
        "|forum post|press release|attachment|sms|dm|rss feed|webhook|tweet|webseite|internetseite"
        "|artikel|nachricht|anhang|pressemitteilung|rundbrief|网页|网站|邮件|短信|文章|附件|帖子|新闻"
        "|ウェブ|メール|記事"
    ),
}
_LEAD = r"[\s>*_#+-]*(?:\d{1,2}:\d{2}\s*(?:[—–-]\s*)?)?[*_\[(]*(?:the |der |die |das )?"
_SAYS = (
    r"(?:[*_\])]*\s*(?:\([^()]{0,40}\)|[\w.-]{0,20})?[*_]*\s*[:：]"
    r"|[*_]*\s+(?:said|says|stated|states|wants|asked|asks|told|decided|confirmed|corrected"
    r"|sagte?|sagt|will|möchte)\b|(?:说|表示|要求|は|が))"
)
_OF_A_NAME = _SAYS.replace(r"[\w.-]{0,20}", r"(?-i:[A-Z\d][\w.-]{0,20})")
"""A page or mail has a name between: `Mail server:` is no mail."""
_PATTERNS = tuple(
    (speaker, re.compile(rf"{_LEAD}(?:{words})(?![A-Za-zÀ-ÿ]){says}", re.IGNORECASE))
    for speaker, words in _WORDS.items()
    for says in (_OF_A_NAME if speaker is Speaker.WEB else _SAYS,)
)
_RESULT = re.compile(rf"{_LEAD}(?:tool|search|web)[ _-](?:result|output|call)s?\b", re.IGNORECASE)

_ADDRESS = (
    r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w|(?:[\w-]+\.)+(?:com|org|net|io|dev|info|biz|app|co|ai"
    r"|example|test|de|at|ch|eu|uk|fr|cn|jp|ru)(?![\w.]*\w))"
)
_PIECE = (
    r"(?:e-?mails?|mails?|message|newsletter|note|letter|post|comment|reply|answer|article|pdf|page"
    r"|site|website|tweet|text|sms|dm|fax|memo|document|attachment|invitation|notification|feed"
    r"|nachricht|brief|seite|webseite|artikel|kommentar|antwort|anhang)"
)
_OWN = r"(?:user|me|us|myself|benutzer(?:in)?|nutzer(?:in)?|mir|uns)\b"
_SENT = later(
    # a header: From https://…, From: Bob <bob@…>, Source: …
    rf"(?i){_LEAD}(?:source|from|quelle|von|aus|来源|来自|发件人|出处|差出人|出典)"
    rf"(?:\s*[:：]\s*[^:：\n]{{0,40}}?<?{_ADDRESS}|\s*<?https?://"
    rf"|\s+<?{_ADDRESS}[^\s:：]*\s*(?:[:：]|\Z))"
    # Email from Bob: …, Slack message from Eve: …, E-Mail von Bob: …
    rf"|{_LEAD}(?:\w+ ){{0,2}}?{_PIECE} (?:from|by|von|vom) (?!(?:the )?{_OWN})"
    r"[^:：\n]{1,60}[:：]"
    rf"|{_LEAD}[\w.+-]+@[\w-]+\.[\w.-]+>?\s*[:：]"
    r"|[\s>]*-*\s*(?:begin )?(?:forwarded|original) message\b|[\s>]*-*\s*weitergeleitete nachricht"
    r"|[\s>]*(?:on|am|在)\s.{3,80}(?:wrote|schrieb|写道)\s*[^:：]{0,60}[:：]\s*\Z"
    r"|[\s>*#-]*(?:来自|收到|转发|抓取)[^:：\n]{0,30}(?:邮件|网页|网站|消息|短信|文章|信)[^:：\n]{0,10}[:：]"
)
_PASSED_ON = later(
    rf"(?i){_LEAD}(?:from|von) (?!(?:now|today|here|then|there|jetzt|heute|hier|{_OWN})\b)"
    r"[^\s:：][^:：\n]{0,40}[:：]\s"
    rf"|{_LEAD}(?:from|von|发件人|差出人)\s*[:：]\s*\S"
    rf"|{_LEAD}(?:slack|teams|discord|whatsapp|telegram|signal|inbox|posteingang)\s*[:：]"
)
_NAMED = later(
    r"[\s*_+-]*(?:\d{1,2}:\d{2}\s*(?:[—–-]\s*)?)?[*_]*@?"
    r"(?P<name>[^\W\d][\w.'’-]{0,30}(?: [^\W\d][\w.'’-]{0,30})?)"
    r"[*_]*\s*(?:\([^()]{0,40}\))?[*_]*\s*[:：][*_]*\s*(?P<said>\S.*)"
)
_FIRST_PERSON = later(
    r"(?i)\b(?:we|i|i'm|i'll|we're|we'll|our|my|let's|wir|ich|unser\w*|mein\w*)\b|我|咱|私たち|私は|僕"
)
_LABEL_WORDS = """
note notes decision decisions decided lesson lessons learned learnt learnings fact facts
preference plan goal goals result results agreed final so todo task tasks next status update
updates correction summary outcome conclusion reason cause rule rules policy idea question
answer problem issue fix fixed bug warning remember reminder context background scope focus
today tomorrow yesterday now done open blocked example project team database backend frontend
api server deploy deployment release releases testing tests test build design architecture
security hosting storage cache queue logging monitoring budget pricing process workflow style
meeting standup retro review insight takeaway gotcha tldr ps nb important info hint tip notiz
entscheidung entscheidungen beschlossen lehre erkenntnis fakt ziel ergebnis aufgabe korrektur
grund regel frage antwort merke wichtig hinweis heute morgen jetzt sofort projekt datenbank
besprechung rückblick 决定 决策 决议 教训 经验 结论 结果 计划 方案 注意 备注 更正 纠正 问题 原因
目标 规则 偏好 事实 项目 总结 待办 说明 更新 今天 明天 最终 重要 提示 笔记 任务 会议 数据库 部署
发布 测试 架构 決定 教訓 結論 計画 メモ 訂正 問題 目標 会議
"""
_LABELS = frozenset(_LABEL_WORDS.split())
"""What stands before a colon and names what follows, not who says it."""

_VERBS = (
    r"(?:says|said|wrote|claimed|announced|thinks|mentioned"
    r"|(?:claims?|states?|stated|writes?|reports?|reported|mentions?|argues?|argued|insists?"
    r"|insisted|believes?|believed|asserts?|asserted|warns?|warned|confirms?|confirmed|recommends?"
    r"|recommended|suggests?|suggested) (?:that|we|you|they|the)"
    r"|(?:tells?|told) (?:us|me|them|everyone|everybody|the)"
    r"|(?:sagte?|sagten|meinte?|schreibt|schrieb|behauptete?|erzählte?|berichtete?|erklärte?"
    r"|glaubt|teilte? mit)(?= ?[,:]| dass\b| uns\b| mir\b))(?![\w(])"
)
_REPORTED = later(rf"(?i)[\s>*_+-]*(?P<who>[^\s,;:：]+(?: [^\s,;:：]+){{0,7}}?) {_VERBS}")
_REPORTED_CHINESE = later(
    r"[\s>*+-]*(?P<who>[^，。,：:；;]{1,24}?)(?:告诉(?:我|大家)|声称|宣称|写道|认为|指出|表示(?=我们|他|她|将|会|要|，|：)"
    r"|(?<![就是据听小传再来般体])说(?![明法话服]))"
)
_HEARD = later(
    r"(?i)\b(?:reportedly|allegedly|supposedly|rumou?r has it|(?:i|we) (?:heard|hear) (?:that|from)"
    r"|(?:they|people|some|others|customers|users|colleagues|docs) (?:say|claim|report|think)"
    r"|angeblich|(?:ich|wir) (?:habe|haben) gehört)\b|据说|听说|传言|らしい|だそうです"
    r"|(?:\A\W*|, )according to "
    r"(?!(?:the |our )?(?:plan|schedule|logs?|tests?|measurements?)\b|me\b)(?P<who>.{1,60})"
    r"|(?:\A\W*|, )laut (?!(?:dem |unserem )?(?:Plan|Log|Test)\b)(?P<laut>.{1,60})|\bzufolge\b"
    r"|据(?P<ju>[^，。]{1,15})(?:称|报道|透露|表示)|(?P<ni>.{1,20})(?:によると|によれば)"
    r"|[,，] (?:says|said|writes|wrote|sagte?|schreibt|schrieb|meinte?|so (?:sagt|schreibt|meint)) "
    r"(?!(?:i|we|ich|wir|the user|user)\b)(?P<last>[^,]{1,40}?)\W*\Z"
)
_OUTSIDE = later(
    rf"(?i){_ADDRESS}|\b(?:website|web ?page|site|page|url|article|newsletter|blog|e-?mails?|mails?"
    r"|pdf|message|post|tweet|internet|webseite|internetseite|seite|artikel|nachricht|rundbrief)\b"
    r"|网页|网站|网上|邮件|文章|短信|帖子|新闻|ウェブ|サイト|メール|記事"
)
_SELF = later(
    r"(?i)(?:\A|\s)(?:i|we|you|ich|wir|user|human|person|benutzer(?:in)?|nutzer(?:in)?|assistant|agent"
    r"|nothing|nobody)\Z|(?:我|我们|咱们|你|用户|助手)\Z"
    r"|\A(?:i|we|ich|wir)\b.*\b(?:that|dass|if|whether|because|weil)\b"
)
_COLON = later(r"[:：](?!//)\s*")
_LONGEST_LABEL = 60
_MOST_LABELS = 3
_QUOTED = later(r"\s*(?:[-*+]\s+)?>")
_ITEM = later(r"\s*(?:[-*+]|\d+[.)])\s")
_HEADER = later(r"[:：]\W*\Z|https?://\S+\W*\Z")

_TITLE_PIECE = (
    r"(?:web ?pages?|websites?|pages?|sites?|articles?|e-?mails?|mails?|messages?|newsletters?"
    r"|posts?|threads?|feeds?|pdfs?|documents?|attachments?|letters?|dms?|urls?|links?|tweets?"
    r"|webseiten?|seiten?|artikel|nachricht(?:en)?|briefe?|anhang|anhänge|dokumente?)"
)
_TITLE = later(
    rf"(?i){_LEAD}(?:(?:slack|teams|discord|whatsapp|telegram|signal|chat|text|direct|blog|web) )?"
    rf"(?:(?:fetched|scraped|crawled|downloaded|received|incoming|inbound|forwarded|clipped"
    r"|abgerufene?[nrs]?|heruntergeladene?[nrs]?|gelesene?[nrs]?|empfangene?[nrs]?"
    rf"|weitergeleitete?[nrs]?|eingegangene?[nrs]?) (?:\w+ )?{_TITLE_PIECE}"
    r"(?=\W*\Z|\s+(?:from|by|of|about|von|vom|über)\b|\s*[:：—–(])"
    rf"|{_TITLE_PIECE} (?:from|by|von|vom) (?!(?:the )?{_OWN}))"
    rf"|{_LEAD}(?:fwd?|wg)\s*:|{_LEAD}{_ADDRESS}"
    r"|\W*(?:收到|转发|抓取|下载|来自|读到)的?.{0,20}(?:网页|网站|邮件|消息|短信|文章|帖子|信)"
    r"|\W*(?:取得した|受信した|転送).{0,10}(?:ページ|メール|記事)"
)
_BARE_TITLE = later(
    rf"(?i){_LEAD}(?:{_TITLE_PIECE}|inbox|posteingang|re\s*:.*|网页|邮件|短信|文章)\W*\Z"
)


@lru_cache(maxsize=4096)
def speaker_of(line: str) -> Speaker | None:
    """Return who is named as speaking at the beginning of a line; None where nobody is."""
    if _SENT.match(line):
        return Speaker.WEB
    if _RESULT.match(line):
        return Speaker.TOOL
    for speaker, pattern in _PATTERNS:
        if pattern.match(line):
            return speaker
    return Speaker.OTHER if _PASSED_ON.match(line) or name_of(line) else None


def name_of(line: str) -> str:
    """Return the name before a colon of who speaks as `I` or `we` behind it; empty: nobody's."""
    found = _NAMED.match(line)
    if found is None or not _FIRST_PERSON.search(found["said"]):
        return ""
    name = str(found["name"])
    return "" if _LABELS.intersection(name.casefold().split()) else name


def speaker_of_title(title: str) -> Speaker | None:
    """Return who speaks in an entry with that title, as far as the title says."""
    if _TITLE.match(title):
        return Speaker.WEB
    return speaker_of(title) or (Speaker.OTHER if _BARE_TITLE.match(title) else None)


def reporter_of(sentence: str) -> Speaker | None:
    """Return whose word a sentence passes on (`Anna says that`, `according to`); None: nobody's.

    `WEB` where that is a page or a message, `OTHER` else. What somebody does is not what they say.
    Who passes it on may be named before: `User: Anna says that`.
    """
    for _ in range(_MOST_LABELS):
        told = _told_by(sentence)
        if told is None:
            break
        if (within := speaker_of(told)) in (Speaker.WEB, Speaker.OTHER):
            return within
        sentence = told
    for pattern in (_REPORTED, _REPORTED_CHINESE):
        found = pattern.match(sentence)
        if found is not None and not _SELF.search(found["who"]):
            return _reporting(found["who"])
    found = _HEARD.search(sentence)
    if found is None:
        return None
    return _reporting(" ".join(who for who in found.groupdict().values() if who))


def _told_by(sentence: str) -> str | None:
    """Return what a sentence says behind the name and colon of who says it; None: no such name."""
    if speaker_of(sentence) in (None, Speaker.WEB):
        return None
    found = _COLON.search(sentence, 0, _LONGEST_LABEL)
    return sentence[found.end() :] if found else None


def _reporting(who: str) -> Speaker:
    return Speaker.WEB if _OUTSIDE.search(who) else Speaker.OTHER


def voices(title: str, lines: Iterable[str], person: str = "") -> Iterator[Speaker | None]:
    """Yield of each line of an entry who speaks there: the last one named; None: its author.

    All that stands in an entry titled as a page or message, and below a line that only names one,
    is from outside, whomever it names. What is quoted is somebody else's word, except below a line
    that only says whose it is. A name other than that of `person` ends with its list item.
    """
    standing = base = speaker_of_title(title)
    sealed = base is Speaker.WEB
    ends_with_item = only_names = False
    for line in lines:
        named = _own(speaker_of(line), line, person)
        if sealed:
            yield Speaker.WEB
            continue
        if _QUOTED.match(line):
            if Speaker.WEB in (standing, named):
                yield Speaker.WEB
            else:
                yield standing if only_names else Speaker.OTHER
            continue
        is_item = bool(_ITEM.match(line))
        if named is not None:
            only_names = bool(_HEADER.search(line))
            sealed = named is Speaker.WEB and only_names
            ends_with_item = is_item and not only_names and named in (Speaker.WEB, Speaker.OTHER)
            standing = named
        else:
            only_names = only_names and not line.strip()
            if is_item and ends_with_item:
                standing, ends_with_item = base, False
        yield standing


def _own(named: Speaker | None, line: str, person: str) -> Speaker | None:
    mine = named is Speaker.OTHER and person and name_of(line).casefold() == person.casefold()
    return Speaker.PERSON if mine else named
