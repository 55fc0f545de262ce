"""What a new claim does to an old one, told without a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.markdown.compare import (
    Contradicts,
    Related,
    Same,
    Unrelated,
    Updates,
    Verdict,
    compare,
    normalise,
    rivals,
)


def judged(old: str, new: str, likeness: float | None = None) -> Verdict:
    return compare(normalise(new), normalise(old), likeness)


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Maria lives in Lisbon.", "Maria moved to Porto."),
        ("Services talk GraphQL.", "Services now talk REST."),
        ("The capital of the country is Bonn.", "The capital of the country is Berlin."),
        ("Services talk GraphQL", "Services talk REST"),
        ("Decided on GraphQL for the API", "Decided on REST over GraphQL for the API"),
        ("Switched the API from GraphQL to REST", "Switched the API from REST to tRPC"),
        ("The user's editor is Vim", "User switched from Vim to VS Code"),
        ("Wir setzen auf GraphQL", "Wir setzen auf REST statt GraphQL"),
        ("The release is on 3 March 2026.", "The release is on 17 March 2026."),
        ("The project uses Jest for unit tests.", "The project uses Vitest for unit tests."),
        ("We deploy to Heroku.", "We switched from Heroku to Fly.io."),
        ("Ken is the lead of the mobile team.", "Rita is the lead of the mobile team."),
        ("The user prefers tabs over spaces.", "The user prefers spaces over tabs."),
        ("Feature flag new-nav is enabled.", "Feature flag new-nav is disabled."),
        ("Python version: 3.11", "Python version: 3.13"),
        ("Jonas wohnt in Leipzig.", "Jonas ist nach Dresden gezogen."),
        ("Der Umzug ist für Mai geplant.", "Der Umzug wurde auf Juli verschoben."),
        ("小林住在上海。", "小林搬到了杭州。"),
        ("平台组的负责人是李娜。", "平台组的负责人是张伟。"),
        ("健太は大阪に住んでいる。", "健太は名古屋に引っ越した。"),
        ("ポート番号は8080です。", "ポート番号は9090です。"),
        ("Lucía vive en Sevilla.", "Lucía se mudó a Valencia."),
        ("Chloé habite à Lyon.", "Chloé a déménagé à Nantes."),
        ("민수는 서울에 살고 있다.", "민수는 부산으로 이사했다."),
        ("The API uses GraphQL", "We switched the API from GraphQL to REST"),
        (
            "We decided on GraphQL as our API layer",
            "We decided to go with REST instead of GraphQL",
        ),
        ("We decided to go with REST instead of GraphQL", "We switched from REST to tRPC"),
        ("We opted for Jest", "We agreed on Vitest over Jest"),
        ("Billing uses MySQL", "We moved billing from MySQL to Postgres"),
    ],
)
def test_another_value_of_a_single_slot_takes_the_old_ones_place(old: str, new: str) -> None:
    verdict = judged(old, new)
    assert isinstance(verdict, Updates)
    assert verdict.rule


@pytest.mark.req("W-02", "W-06")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The capital of France is Paris.", "The capital of Spain is Madrid."),
        ("Ben likes jazz.", "Ben likes blues."),
        ("The team uses Slack.", "The team uses Jira."),
        ("We support REST", "We support gRPC"),
        ("Maria lives in Lisbon.", "Maria also lives in Porto."),
        ("Rita has published 3 papers.", "Rita has published 5 papers."),
        ("The team uses Slack", "The team switched to Zoom"),
        ("We use Postgres for billing", "We switched from MySQL to Postgres for search"),
        ("Errors table `code`: STRING", "Errors table `code`: INTEGER"),
        ("Maria lives in Lisbon.", "Maria moved to Porto in 2015."),
        ("Anna's brother is Tim.", "Anna's brother is Jonas."),
        ("Maria lives in Lisbon.", "Maria lived in Madrid as a child."),
        ("Build 1041 failed.", "Build 1042 failed."),
        ("Kim was born in Busan.", "Kim was born in 1990."),
        ("The database is PostgreSQL.", "The database is slow on Mondays."),
        ("Noah lives in Dublin.", "Noah wants to move to Canada."),
        ("Nina lives in Portugal.", "Nina lives in Braga."),
        ("Tom works on a novel.", "Tom now works at the city library."),
        ("Ivan plays chess.", "Ivan also plays go."),
        ("What books do you enjoy?", "What book are you reading now?"),
        (
            "Der Regisseur von Krieg der Welten ist Byron.",
            "Der Regisseur von Es war einmal in Amerika ist Sergio.",
        ),
        ("Annas Bruder ist Tim.", "Annas Bruder ist Jonas."),
        ("小林住在上海。", "小林小时候住在武汉。"),
        ("订单1041已经发货。", "订单1042已经发货。"),
        ("望は仙台に住んでいる。", "望はカナダに引っ越したい。"),
        ("キャッシュにはRedisを使っている。", "メッセージにはKafkaを使っている。"),
        ("title: Quarterly report", "title: Holiday plans"),
    ],
)
def test_what_can_hold_beside_the_old_claim_strikes_nothing(old: str, new: str) -> None:
    assert isinstance(judged(old, new), Related | Unrelated)
    assert not rivals(normalise(old), normalise(new))


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Maria lives in Lisbon.", "- Maria lives in Lisbon"),
        ("The release is on 5 May 2026.", "The release is on 2026-05-05."),
        ("Tom works at the library.", "Tom now works at the library."),
        ("发布日期是2026年5月5日。", "发布日期是2026-05-05。"),
        ("健太は大阪に住んでいます。", "健太は大阪に住んでいる。"),
        ("Der Hund heißt Bello", "Der Hund heißt Bello."),
    ],
)
def test_a_repeat_is_already_known(old: str, new: str) -> None:
    assert isinstance(judged(old, new), Same)


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("Lena eats meat.", "Lena does not eat meat.", Contradicts),
        ("Ben drinks coffee.", "Ben doesn't drink coffee anymore.", Updates),
        ("Lena isst Fleisch.", "Lena isst kein Fleisch.", Contradicts),
        ("Wir nutzen Trello.", "Wir nutzen Trello nicht mehr.", Updates),
        ("莉莉吃肉。", "莉莉不吃肉。", Contradicts),
        ("我们用Trello。", "我们不再用Trello了。", Updates),
        ("彩は肉を食べる。", "彩は肉を食べない。", Contradicts),
        ("健太はタバコを吸う。", "健太はタバコを吸うのをやめた。", Updates),
        ("Lena eats meat.", "Lena does not eat fish.", Related),
    ],
)
def test_denial_is_for_a_person_to_settle_unless_it_says_that_it_ended(
    old: str, new: str, kind: type[Verdict]
) -> None:
    assert isinstance(judged(old, new), kind)


@pytest.mark.req("W-02")
def test_an_open_slot_becomes_a_conflict_only_with_a_cue_of_now_and_near_vectors() -> None:
    old, new = "Carla is a nurse.", "Carla is now a carpenter."
    assert isinstance(judged(old, new, 0.95), Contradicts)
    assert isinstance(judged(old, new, 0.85), Related)
    assert isinstance(judged(old, new), Related)
    assert isinstance(judged(old, "Carla is left-handed.", 0.95), Related)


@pytest.mark.req("W-02")
def test_likeness_alone_never_strikes() -> None:
    assert not isinstance(judged("Ben likes jazz.", "Ben likes blues.", 0.999), Updates)


@pytest.mark.req("R-04")
def test_rivals_are_seen_from_either_side() -> None:
    old, new = normalise("Maria lives in Lisbon."), normalise("Maria moved to Porto.")
    assert rivals(old, new)
    assert rivals(new, old)


@pytest.mark.req("W-02")
def test_a_text_too_long_for_a_claim_is_still_compared_but_strikes_nothing() -> None:
    text = "The API moved from a to b " * 400
    assert isinstance(judged(text, text), Same)
    assert isinstance(judged(text, text + "again"), Related | Unrelated)


@pytest.mark.req("W-02")
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared(first: str, second: str) -> None:
    new, old = normalise(first), normalise(second)
    assert compare(new, old).rule
    if new.tokens:
        assert isinstance(compare(new, new), Same)
    assert rivals(new, old) == rivals(old, new)


@pytest.mark.req("W-02", "W-06")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Alerts of Tidal go to the channel #tower",
            "Alerts of Marlin now go to the channel #tower",
        ),
        ("Alerts of Tidal go to the channel #red", "Alerts of Marlin now go to the channel #tower"),
        (
            "Die Oberfläche von Tidal spricht Polnisch",
            "Die Oberfläche von Marlin spricht jetzt Polnisch",
        ),
        ("Logs of the Blue Door rotate weekly", "Logs of Marlin now rotate daily"),
    ],
)
def test_what_is_so_now_of_one_thing_says_nothing_of_another(old: str, new: str) -> None:
    assert not isinstance(judged(old, new), Updates | Contradicts)


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Heron runs in the region us-east-2",
            "We decided that Heron runs in the region eu-west-1",
        ),
        ("We decided that Heron talks REST to its clients", "Heron now talks gRPC to its clients"),
        ("Heron is backed up at 02:30", "From now on Heron is backed up at 04:20"),
        ("Heron keeps its logs for 30 days", "Going forward, Heron keeps its logs for 60 days"),
        ("Heron is written in Go", "The language of Heron is Rust"),
        ("Heron listens on port 8101", "The port of Heron is 8115"),
        ("The database of Heron is SQLite", "Heron now stores its data in MySQL"),
        ("Heron is owned by the search team", "The billing team now owns Heron"),
        ("The owner of Heron is the search team", "Heron is owned by the billing team"),
        ("The backup time of Heron is 02:30", "Heron is now backed up at 04:20"),
        ("Heron is backed up at 02:30", "The backup time of Heron is 04:20"),
        ("The region of Heron is us-east-2", "Heron runs in the region eu-west-1"),
        ("Alerts of Heron go to the channel #red", "The alert channel of Heron is #tower"),
        ("The log retention of Heron is 14 days", "Heron now keeps its logs for 30 days"),
        ("A day pass costs $12", "The price of a day pass is now $14"),
        ("Der Standort des Servers von Heron ist Wien", "Der Server von Heron steht in Bern"),
        ("Alarme von Heron gehen an den Kanal #rot", "Der Alarmkanal von Heron ist #turm"),
        ("Die Auslieferung von Heron ist am Montag", "Heron wird am Dienstag ausgeliefert"),
        ("Heron 使用 Redis 做缓存", "Heron 的缓存改用 Memcached"),
        ("HeronはキャッシュにRedisを使っている", "HeronのキャッシュはMemcachedです"),
        ("Der Server von Heron steht in Wien", "Der Server von Heron steht ab sofort in Bern"),
        ("Heron 的缓存用 Redis", "Heron 的缓存改用 Memcached"),
        ("Heron 的缓存用 Redis", "我们决定 Heron 的缓存用 Memcached"),
        ("后端使用的端口是8101", "从现在起后端使用的端口是8115"),
    ],
)
def test_a_decision_about_what_holds_from_now_on_replaces_what_held(old: str, new: str) -> None:
    assert isinstance(judged(old, new), Updates)


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Heron is written in Go", "We decided that Heron is written in Go"),
        ("Heron listens on port 8101", "The port of Heron is 8101"),
        ("The search team owns Heron", "Heron is owned by the search team"),
        ("Heron is deployed on Mondays", "Deploys of Heron happen on Mondays"),
        ("Heron is backed up at 04:20", "The backup time of Heron is 04:20"),
        ("Heron's backup runs at 4:20 am", "Heron is backed up at 04:20"),
        ("We release Heron on Fridays", "The release day of Heron is Friday"),
        ("The expiry date of the licence is 3 May 2026", "The licence expires on 2026-05-03"),
        ("Heron runs in the region eu-west-1", "Heron's region is eu-west-1"),
        ("Alerts of Heron go to the channel #tower", "The alert channel of Heron is #tower"),
        ("Heron sends its alerts to #tower", "The alert channel of Heron is #tower"),
        ("Heron keeps its logs for 14 days", "The log retention of Heron is 14 days"),
        ("Heron talks gRPC to its clients", "The API style of Heron is gRPC"),
        ("The owner of Heron is the search team", "The search team owns Heron"),
        ("A day pass costs $12", "The price of a day pass is $12"),
        ("The Heron database is SQLite", "Heron stores its data in SQLite"),
        ("Heron is monitored with Grafana", "The monitoring tool of Heron is Grafana"),
        ("Heron uses Redis as its cache", "The cache of Heron is Redis"),
        ("Heron times out after 30 seconds", "The timeout of Heron is 30 seconds"),
        ("Heron has 3 replicas", "The replica count of Heron is 3"),
        ("Der Standort des Servers von Heron ist Wien", "Der Server von Heron steht in Wien"),
        ("Heron wird um 04:20 gesichert", "Die Sicherungszeit von Heron ist 04:20"),
        ("Der Preis von Heron beträgt 30 Euro", "Heron kostet 30 Euro"),
        ("Heron läuft in der Region eu-west-1", "Die Region von Heron ist eu-west-1"),
        ("Heron 的缓存用 Redis", "Heron 使用 Redis 做缓存"),
        ("Heron 的缓存是 Redis", "Heron 的缓存改用 Redis"),
        ("HeronはキャッシュにRedisを使っている", "HeronのキャッシュはRedisです"),
    ],
)
def test_the_same_value_in_other_words_is_known_already(old: str, new: str) -> None:
    assert isinstance(judged(old, new), Same)


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The docs are written in English", "The docs should be written in German, not English"),
        ("We use npm for the frontend", "We should use pnpm, not npm, for the frontend"),
        ("The team uses Slack", "The team is to use Zulip rather than Slack"),
        ("Reports are sent to Anna", "From now on reports are sent to Bert"),
        ("We use REST for the API", "Going forward, use gRPC for the API"),
        ("Die API verwendet REST", "Ab jetzt verwendet die API gRPC"),
        ("Die Datenbank ist MySQL", "Die Datenbank soll Postgres sein, nicht MySQL"),
        ("API使用REST", "API应该用gRPC，不要用REST"),
        ("报告发给安娜", "以后报告发给李雷"),
        ("データベースはMySQLです", "データベースはMySQLではなくPostgresにする"),
        ("ログはS3に保存する", "今後ログはGCSに保存する"),
    ],
)
def test_what_is_to_be_instead_or_from_now_on_takes_the_old_value_s_place(
    old: str, new: str
) -> None:
    assert isinstance(judged(old, new), Updates)


@pytest.mark.req("W-02")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use npm for the backend", "We should use pnpm, not npm, for the frontend"),
        ("Tests use unittest", "Nightly tests in CI use pytest, not unittest"),
        ("We should use REST", "The user asked whether we should use gRPC, not REST"),
        ("Anna should use Zulip, not Slack", "Bert should use Zulip, not Slack"),
        ("Backups run on heron", "Backups run on heron, not only on weekdays"),
        ("Heron is backed up at 02:30", "The restart time of Heron is 04:20"),
        ("Heron is backed up at 02:30", "The backup time of Marlin is 04:20"),
        ("Heron is backed up at 02:30", "The backup day of Heron is Monday"),
        ("Heron stores its data in MySQL", "The database of Heron is slow"),
        ("Heron runs in the region eu-west-1", "The region of Heron is overloaded"),
        ("Heron listens on port 8101", "Heron connects to port 9000"),
        ("The owner of Heron is the search team", "The owner of Heron is on leave"),
        ("Alerts of Heron go to the channel #red", "Pages of Heron go to the channel #tower"),
        ("Heron keeps its logs for 14 days", "The backup retention of Heron is 90 days"),
        ("A ticket costs 20 euros a day", "The price of a ticket is 300 euros a month"),
        ("Heron is tested with Pytest", "Heron is tested with Hypothesis"),
        ("Heron is monitored with Grafana", "The test framework of Heron is Pytest"),
        ("Der Eigentümer von Heron ist im Urlaub", "Heron gehört dem Team Suche"),
        ("Die Datenbank von Heron ist langsam", "Heron speichert seine Daten in MySQL"),
        ("Heron wird um 04:20 gesichert", "Heron wird um 05:20 neu gestartet"),
        ("Heron 使用 Redis 做缓存", "Heron 使用 MySQL 做存储"),
        ("Heronのポートは8101です", "Marlinのポートは9000です"),
        ("A ticket costs 20 euros", "The price of the ticket is 10 euros for children"),
        ("We met Anna on 3 March 2026", "We met Anna on 5 March 2026"),
        ("Logs are stored in S3", "From now on backups are stored in GCS"),
        ("后端使用npm", "前端应该使用pnpm，而不是npm"),
        ("バックエンドはnpmを使う", "フロントエンドはnpmではなくpnpmを使うべき"),
    ],
)
def test_what_is_said_of_something_else_strikes_nothing(old: str, new: str) -> None:
    assert not isinstance(judged(old, new), Updates | Contradicts)


@pytest.mark.req("W-02")
def test_what_is_besides_said_not_to_hold_is_not_lost() -> None:
    verdict = judged("The default branch is main", "The default branch is main, not master")
    assert verdict == Related("says besides what does not hold")
    assert isinstance(
        judged("The default branch is main, not master", "The default branch is main"), Same
    )


SAYINGS = (
    "{} now runs in the region eu-west-1",
    "{} is now deployed on Wednesdays",
    "{} now listens on port 8157",
    "{} now talks REST to its clients",
    "{} is now backed up at 03:45",
    "{} now keeps its logs for 30 days",
)


@pytest.mark.req("W-02", "W-06")
@pytest.mark.parametrize("subject", ["Heron", "Delta Bridge", "The staging server", "Our API"])
def test_one_thing_said_to_be_so_now_ends_no_other_thing_of_the_same_subject(subject: str) -> None:
    for new in SAYINGS:
        for old in SAYINGS:
            if new is not old:
                found = judged(old.replace("now ", "").format(subject), new.format(subject))
                assert not isinstance(found, Updates | Contradicts | Same), (old, new)
