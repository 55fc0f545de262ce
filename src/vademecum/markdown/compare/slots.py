"""Nouns that name a slot by themselves: "the port is", "the deadline is", 负责人是, 住所は."""

from __future__ import annotations

import re

from vademecum.core.patterns import later
from vademecum.markdown.compare.typed import listed

_ENGLISH = listed(
    "deadline date time port version address email e-mail phone number hint name codename nickname "
    "username handle title owner lead leader manager boss status priority budget price cost rent "
    "salary database editor framework language timezone zone locale branch host hostname url "
    "domain "
    "size limit timeout interval capital job role position birthday age height weight theme colour "
    "color model provider license licence landlord landlady doctor dentist currency unit format "
    "cadence frequency period rate total maximum minimum"
)
_GERMAN = listed(
    "frist termin datum uhrzeit adresse nummer name titel status priorität budget preis "
    "miete gehalt "
    "datenbank editor sprache zeitzone port version größe grenze hauptstadt rolle stelle "
    "geburtstag "
    "alter farbe modell essen leiter leiterin chef chefin vermieter vermieterin zahnarzt "
    "zahnärztin "
    "hausarzt hausärztin trainer trainerin mann frau partner partnerin verlobte verlobter autor "
    "autorin regisseur regisseurin gründer gründerin sitz beruf arbeitgeber firma schule "
    "universität "
    "zimmer handy telefon gewicht betriebssystem browser tarif währung einheit format thema zweig "
    "wert anzahl betrag gebühr limit intervall häufigkeit ort treffpunkt verantwortliche "
    "verantwortlicher vorsitzende vorsitzender präsident präsidentin bürgermeister bürgermeisterin "
    "kanzler kanzlerin direktor direktorin geschäftsführer geschäftsführerin eigentümer "
    "eigentümerin "
    "kapitän ansprechpartner ansprechpartnerin spitzname wlan"
)
_CHINESE = listed(
    "端口 版本 地址 日期 时间 名称 名字 语言 数据库 密码 负责人 职位 职务 职业 经理 老板 "
    "状态 优先级 预算 价格 "
    "房租 工资 框架 编辑器 时区 域名 首都 省会 生日 年龄 身高 体重 颜色 尾号 代号 编号 昵称 "
    "用户名 账号 房东 "
    "邮编 密钥 号码 电话 手机 邮箱 主管 组长 队长 女朋友 男朋友 妻子 丈夫 老婆 老公 配偶 "
    "总部 所在地 官方语言 "
    "作者 导演 创始人 牙医 班主任 教练 导师 上司 领导 房间 座位 工位 学校 大学 专业 公司 "
    "雇主 国籍 民族 血型 "
    "星座 型号 品牌 套餐 模型 容量 大小 上限 下限 次数 频率 间隔 人数 数量 总数 金额 费用 "
    "利率 税率 比例 分数 "
    "成绩 排名 等级 鞋码 尺码 网址 链接 分支 主题 格式 编码 单位 货币 风格 读数 有效期 时长 "
    "技术栈 操作系统 "
    "浏览器 输入法 总统 总理 市长 省长 主席 校长 院长 主编 首席执行官"
)
_JAPANESE = listed(
    "コード名 ユーザー名 ポート番号 ポート バージョン 住所 日 時間 名前 言語 データベース "
    "パスワード リーダー "
    "責任者 担当 担当者 部長 課長 社長 会長 上司 状態 ステータス 優先度 予算 価格 家賃 給料 "
    "フレームワーク "
    "エディタ エディター 首都 誕生日 年齢 身長 体重 色 番号 電話番号 メール 締め切り 締切 "
    "期限 役職 職業 妻 夫 "
    "彼女 彼氏 恋人 本社 公用語 著者 監督 創業者 歯医者 担任 部屋 席 学校 大学 専攻 会社 "
    "勤務先 国籍 血液型 "
    "機種 モデル プラン 容量 サイズ 上限 下限 回数 頻度 間隔 人数 合計 金額 料金 費用 割合 "
    "点数 順位 等級 URL "
    "リンク ブランチ テーマ 形式 単位 通貨 モード 値 有効期限 ブラウザ 大家 大家さん "
    "タイムゾーン 場所 会場 "
    "ニックネーム 首相 大統領 知事 市長 校長 院長 編集長 代表 マネージャー オーナー キャプテン"
)


def _any(nouns: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, nouns), key=len, reverse=True))


_SLOT_NOUN = later(
    rf"(?:\b(?i:{_any(_ENGLISH)})"
    rf"|\b(?=[A-ZÄÖÜ])\w*?(?i:{_any(_GERMAN)})"
    rf"|(?:{_any(_CHINESE)}|{_any(_JAPANESE)}))$"
)


def names_slot(subject: str) -> bool:
    """Whether a subject ends in a noun that holds one value at a time. Case counts in German."""
    return bool(_SLOT_NOUN.search(subject))
