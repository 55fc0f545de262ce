"""Small words that decide a comparison: cues of now, of before, of negation, of one among many."""

from __future__ import annotations

from vademecum.core.patterns import later
from vademecum.markdown.compare.typed import listed

# Case matters in all of these: a title may hold "Now", a German title "war".
NOW = later(
    r"(?<![\w-])(?:(?:right |just )?now|currently|presently|nowadays|these days|at the moment|"
    r"at present|"
    r"ab jetzt|ab sofort|von jetzt an|jetzt|derzeit|zurzeit|momentan|mittlerweile|inzwischen|"
    r"nunmehr|neuerdings|"
    r"ahora|actualmente|maintenant|désormais|actuellement)(?![\w-]),? ?"
    r"|(?:现在|現在|目前|如今|现时)(?![的の任])(?:は、?|，)?|今では|今は|いまは"
    r"|지금은? ?|현재는? ?"
)
LEADING_NOW = later(
    r"^(?:Now|Currently|Nowadays|At the moment|[Ff]rom (?:now|today|here) on|[Gg]oing forward|"
    r"[Aa]s of (?:now|today)|[Ss]tarting (?:now|today)|"
    r"Ab (?:jetzt|sofort|heute)|Von (?:jetzt|nun) an|In Zukunft|Künftig|Zukünftig|"
    r"Jetzt|Derzeit|Inzwischen|Mittlerweile|Ahora|"
    r"Actualmente|Maintenant|Désormais),? "
    r"|^(?:从现在起|从现在开始|从今天起|从今以后|今后|以后|往后)[,、 ]?(?:都|就)?"
    r"|^(?:今後は?|これからは?|以後は?)、?"
)
TURNED = later(
    r"^(?P<verb>(?:ist|sind|hat|haben|wird|werden|[a-zäöüß]{2,}(?:t|en))) "
    r"(?P<who>wir|ich|sie|er|es|man|(?:die|der|das|unsere?|meine?) [A-ZÄÖÜ][\w-]*|[A-ZÄÖÜ][\w-]*) "
    r"(?=\S)"
)
"""German behind a cue at the beginning: the verb comes before its subject."""
_DAY = r"(?:(?:\d{4}|-)-\d{2}-\d{2}|\d{4}|(?:[A-ZÄ]\w+ )?\d{4}-?\d{0,2})"
WHEN = later(
    rf"^(?:[Aa]s of|[Ss]ince|[Ss]eit|[Aa]b|[Dd]esde|[Dd]epuis) (?P<lead>{_DAY}),? "
    rf"| (?:as of|since|seit|ab dem|desde|depuis) (?P<tail>{_DAY})$"
    rf"|^[自从從](?P<han>{_DAY})年?(?:起|以来|开始)[，,]?"
    rf"|^(?P<kana>{_DAY})年?(?:から|以来)、"
)

ENDED = later(
    r"(?<![\w-])(?:no longer|not (?P<more>.+?) (?:any ?more|any longer)|n['’]t (?P<less>.+?)"
    r" (?:any ?more|any longer)|"
    r"ha(?:s|ve) (?:stopped|quit|given up)|stopped|quit|gave up|"
    r"nicht (?:länger|mehr)|keine?[mnrs]? (?P<keiner>.+?) mehr|ya no|ne (?P<plus>.+?) plus)"
    r"(?![\w-])"
    r"|n['’]t (?P<shorter>.+?) any ?more"
    r"|不再|已经不|不复|もう(?P<already>.+?)(?:ない|ません|なくなった)|なくなった|なくなりました|"
    r"[るうくすつぬむぶぐ]のをやめ(?:た|ました)|더 이상"
)
PLAIN = later(
    r"(?<![\w-])(?:not|never|cannot|nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|nunca|"
    r"jamais|pas|without)(?![\w-])|n['’]t(?! [A-Z]|\w)|^No (?=[a-z])| no (?=[a-z])"
    r"|不(?!同|错|仅|但|久|断|足|过[，, ])|没有|没(?=[去来吃用做])|未(?![来])|無い|"
    r"(?:では|じゃ|く|[あかさたなまらわがばいえけせてねべめれげしちりみ])(?:ない|ません)(?!と)|"
    r"ていない|ていません"
    r"|지 않|아니"
)

ALSO = later(
    r"(?<![\w-])(?:also|too|as well|additionally|besides|another|auch|außerdem|zusätzlich|"
    r"weitere[rns]?|"
    r"también|aussi|one of|some of|einer? der|eine[sr]? de[rs]|einige)(?![\w-])"
    r"|^(?:One of|Some of|Another|Also|Einer der|Eine der|Eines der|Einige)(?= )"
    r"|[也还還](?!款|债|钱|書|书)|另外|其中之?一|之一|(?<=[\w）])も(?=[\w])(?![のうちっ])|도 "
)

MANY_NOUNS = frozenset(
    listed(
        "project task book song talent habit fear dream question suggestion contribution cause fix "
        "responsibility achievement employee student classmate roommate teammate cofounder course "
        "shift medication solution answer tool result test file command account ticket dish "
        "projekt aufgabe buch lied gewohnheit frage vorschlag beitrag ursache lösung antwort "
        "werkzeug ergebnis datei befehl mitarbeiter mitarbeiterin schüler schülerin kurs "
        "项目 任务 习惯 建议 答案 结果 工具 文件 命令 员工 室友 课程 プロジェクト 課題 習慣 "
        "質問 提案 答え 結果 "
        "道具 ファイル コマンド 社員 授業 "
        "friend brother sister sibling child son daughter cousin uncle aunt colleague neighbour "
        "neighbor "
        "member hobby interest skill pet problem issue reason advantage disadvantage benefit "
        "drawback "
        "risk way example feature part thing difference idea lesson bug step rule fact goal tip "
        "concern "
        "option strength weakness requirement dependency allergy customer client contact "
        "mother father parent mum mom dad grandmother grandfather mutter vater oma opa "
        "stärke schwäche "
        "madre padre mère père 妈妈 爸爸 母亲 父亲 爷爷 奶奶 母 父 お母さん お父さん 祖母 祖父 "
        "長所 短所 強み 弱み 特技 优势 弱点 目标 目標 "
        "bruder schwester geschwister kind sohn tochter cousine onkel tante kollege kollegin "
        "freund freundin nachbar nachbarin mitglied hobby problem grund vorteil nachteil risiko "
        "beispiel "
        "teil unterschied idee regel ziel kunde kundin amigo amiga hermano hermana hijo hija "
        "ami frère "
        "sœur fils fille 朋友 兄弟 哥哥 弟弟 姐姐 妹妹 孩子 儿子 女儿 同事 邻居 成员 爱好 兴趣 "
        "问题 原因 优点 "
        "缺点 风险 例子 特点 学生 客户 友達 友人 兄 弟 姉 妹 子供 息子 娘 同僚 隣人 メンバー 趣味 "
        "問題 理由 利点 "
        "欠点 リスク 例 特徴 生徒 顧客 もの 物 こと"
    )
)
"""Nouns of which somebody may have several: "the brother of" names no single value."""

SINGLE_MARKS = later(
    r"(?<!\w)(?:favou?rite|preferred|default|current|primary|main|official|best-loved|Lieblings\w+|"
    r"Standard\w+|Haupt\w+|bevorzugte\w*|aktuelle\w*|derzeitige\w*|offizielle\w*|favorit[oa]|"
    r"preferid[oa]|actual|principal|préférée?|actuelle?|principale)(?!\w)"
    r"|(?<!\w)(?:[Ff]avou?rite|Default|Current|Primary|Aktuelle\w*|My favou?rite)(?!\w)"
    r"|最喜欢|最爱|最喜歡|默认|当前|目前的|现在的|現在の|主要|官方|一番|好きな|デフォルト|既定|"
    r"メイン"
    r"|가장 좋아하는|기본|현재"
)

_STATES = """
enabled disabled
on off
open closed
active inactive paused suspended archived deprecated
required optional
public private
online offline
paid unpaid
allowed forbidden
pending approved rejected
single engaged married divorced widowed
up down
done unfinished blocked
aktiviert deaktiviert
an aus
offen geschlossen
aktiv inaktiv pausiert
öffentlich privat
erlaubt verboten
ledig verlobt verheiratet geschieden
erforderlich optional
启用 禁用 停用
开启 关闭
公开 私有
单身 已婚 离婚
在线 离线
有効 無効
オン オフ
公開 非公開
独身 既婚
必須 任意
"""
STATE_OF = {word: number for number, row in enumerate(_STATES.splitlines()) for word in row.split()}
"""States that exclude each other, by the row they stand in."""

COUNTRIES = frozenset(
    listed(
        "germany france spain portugal italy austria switzerland poland netherlands belgium "
        "denmark "
        "sweden norway finland ireland england scotland wales uk usa america canada mexico brazil "
        "argentina "
        "chile japan china india korea vietnam thailand indonesia australia turkey greece russia "
        "ukraine "
        "egypt kenya nigeria europe asia africa california texas bavaria saxony catalonia "
        "deutschland frankreich spanien italien österreich schweiz polen niederlande belgien "
        "dänemark "
        "schweden norwegen finnland irland england schottland kanada mexiko brasilien argentinien "
        "indien "
        "australien türkei griechenland russland ägypten europa asien afrika sachsen bayern hessen "
        "thüringen brandenburg niedersachsen nordrhein-westfalen baden-württemberg "
        "中国 美国 英国 法国 德国 日本 韩国 印度 加拿大 澳大利亚 西班牙 意大利 巴西 俄罗斯 "
        "泰国 越南 "
        "中国 アメリカ イギリス フランス ドイツ 韓国 インド カナダ オーストラリア スペイン "
        "イタリア ブラジル ロシア "
        "españa francia alemania méxico allemagne espagne italie"
    )
) | {"united states", "united kingdom", "new zealand", "south korea", "the netherlands", "the usa"}
"""Regions wider than a city: a city after one of them narrows and does not replace it."""

STATE_VERBS = frozenset(
    listed(
        "is are has have costs cost takes take starts start begins begin ends end opens open "
        "closes close "
        "needs need requires require expires weighs holds contains earns lasts listens runs run "
        "meets leaves "
        "departs arrives keeps retains allows uses use pays charges supports lives works gets "
        "sleeps stays "
        "limited set scheduled planned due capped "
        "ist sind hat haben habe kostet kosten dauert beginnt beginnen endet öffnet schließt "
        "braucht benötigt "
        "läuft beträgt wiegt enthält verdient hört trifft fährt hält erlaubt nutzt verwendet "
        "verfügbar findet "
        "es tiene tengo cuesta empieza termina est a coûte commence finit"
    )
)
"""Verbs after which a number or a date is a state that a later one replaces."""

EVENT_WORDS = frozenset(
    listed(
        "flew drove took gave ate left made wrote spoke did was were had been went came won "
        "lost met visited released published shipped "
        "failed passed "
        "bought sold ran saw sent received paid finished completed started moved erschien war "
        "waren wurde "
        "wurden hatte ging kam besuchte kaufte bezahlt fue fueron fut était"
    )
)

MANY_VERBS = frozenset(
    listed(
        "is am are was has have had owns own likes like loves love enjoys enjoy hates "
        "dislikes knows know "
        "wants want "
        "needs need uses use using speaks speak plays play visited visits reads read watches eats "
        "eat drinks "
        "drink owns sells supports includes contains supplies offers collects follows joined met "
        "does can "
        "ist sind hat haben habe besitzt mag mögen liebt hasst kennt will möchte braucht "
        "nutzt nutzen "
        "verwendet verwenden spricht spielt liest isst trinkt besucht unterstützt enthält kann es "
        "tiene usa "
        "habla juega est a utilise parle joue"
    )
)
"""Verbs that hold several values at once: even "now" does not make them single."""

HELD_BY_ONE = later(
    r"(?<!\w)(?:is|are) (?:sent|stored|kept|hosted|deployed|written|published|handled|reviewed|"
    r"approved|managed|delivered|forwarded|mailed|posted|saved|uploaded|released|scheduled|held|"
    r"based|located|served|built) (?:to|in|on|at|by|with|for|from)$"
)
"""What is done with a thing in one place or by one person, so that "now" tells the only value."""

_FAMILIES = """
graphql rest grpc trpc soap json-rpc
npm pnpm yarn bun
pip poetry pdm uv
tabs spaces
dark light
metric imperial
celsius fahrenheit
merge rebase squash
monorepo polyrepo
webpack vite rollup esbuild
"""
FAMILY_OF = {
    word: number for number, row in enumerate(_FAMILIES.splitlines()) for word in row.split()
}
"""Things of which one is chosen instead of another, by the row they stand in."""
SEVERAL = frozenset(
    listed(
        "support supports like likes tried try tries know knows learned learns considered compared "
        "compares both evaluated accepts accept allows unterstützt unterstützen mag kennt 支持 喜欢"
    )
)
"""Verbs after which even those stand side by side."""
