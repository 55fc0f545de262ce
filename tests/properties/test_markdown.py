"""For any text: reading never fails, edits change what they say, and both YAML readers agree."""

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.core.errors import MalformedFrontmatter
from vademecum.core.notes import Role
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import read, remove_key, set_value
from vademecum.markdown.lines import decode, split
from vademecum.markdown.maps import MapEntry, markers_defect, read_map, render_map
from vademecum.markdown.parse import parse_note
from vademecum.markdown.properties import read_properties
from vademecum.markdown.yaml_events import read_yaml

SIGNS = "ab1 \n\r\t#-*>`~|[]()!:\"'\\{}&,^<é日\u2028_=+."
TEXTS = st.text(st.sampled_from(SIGNS), max_size=120)
LINES = [
    "a: 1", "a: 2", "b: x # c", "b:", "- i", "  - j", "  k: v", "c: [x, y]", "c: ['x', \"y\"]",
    "# c", "", "  cont", "d: |", "e: >-", "f: 'it''s'", 'g: "q\\n"', "h: x: y", "i:j", "j: &a z",
    "k: *a", "l: {m: n}", "---", "...", "é: ü", "two words: z", "m: - n", "n: ~", "o: 1.10",
    "'p': q",
    "q : r", "r:\ttab", "s: a#b", "t: [a", "u: @x", "v: %", "w: x  ", "x: ? y", "- - z", "y: [ ]",
    "z: [a,]",
    "- a: b", "-", "a.b: c", "1: one", "yes: no", "k: !t x", "n:  # c", "o: [a b, c#d]",
    "p: \"a\" b",
]  # fmt: skip
BLOCKS = st.lists(st.sampled_from(LINES), max_size=8)
VALUES = st.text(max_size=30).filter(lambda text: "\0" not in text) | st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), max_size=3
).map(tuple)


def strictly_read(text: str) -> dict[str, object] | None:
    """Return what PyYAML's own reader, the strictest at hand, takes from the frontmatter."""
    try:
        values = yaml.safe_load("".join(split(text)[1 : read(text).last - 1]))
    except (yaml.YAMLError, ValueError):
        return None
    return values if isinstance(values, dict) else None


@settings(max_examples=300)
@given(TEXTS)
def test_any_text_is_read_and_cut_within_its_lines(text: str) -> None:
    note = parse_note("memory/x.md", text, Role.CONCEPT)
    for rules in (ChunkRules(), ChunkRules(tokens=20, overlap=5, unit="section")):
        for chunk in chunk_note(note, text, rules):
            assert 1 <= chunk.span.first <= chunk.span.last <= note.lines
            assert chunk.text
    read_claims("x.md", text)
    read_map(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_with_their_line_count(content: bytes) -> None:
    decoded = decode(content)
    if not decoded.defect:
        assert decoded.encode(decoded.text) == content
    if decoded.encoding.startswith("utf-8"):
        assert decoded.text.count("\n") == content.count(b"\n")


@settings(max_examples=1500)
@given(BLOCKS)
def test_the_fast_reader_takes_what_yaml_takes_or_leaves_it_to_yaml(block: list[str]) -> None:
    lines = split("\n".join(["---", *block, "---", ""]))
    properties = read_properties(lines)
    if not properties.last:
        return
    values, defect = read_yaml("".join(lines[1 : properties.last - 1]))
    assert bool(defect) == bool(properties.defect)
    assert properties.values == values


@settings(max_examples=600)
@given(BLOCKS, st.sampled_from(["\n", "\r\n"]), st.sampled_from("abcdefgz"), VALUES, TEXTS)
def test_an_edit_sets_exactly_its_key_or_is_refused(
    block: list[str], end: str, key: str, value: str | tuple[str, ...], body: str
) -> None:
    text = end.join(["---", "type: x", *block, "---", "body"]) + body
    before = read(text)
    try:
        edited = set_value(text, key, value)
    except MalformedFrontmatter:
        return
    after = read(edited)
    assert dict(after.values) == {**before.values, key: value}
    assert split(edited)[after.last :] == split(text)[before.last :]
    if strictly_read(text) is not None:
        strict = strictly_read(edited)
        assert strict is not None
        assert strict[key] == (list(value) if isinstance(value, tuple) else value)
    kept = set(split(text)[: before.last]) - set(split(edited)[: after.last])
    assert all(key in before.values for _ in kept), "only lines of the key may go"


@settings(max_examples=300)
@given(BLOCKS, st.sampled_from("abcdefgz"))
def test_a_removed_key_is_gone_and_all_others_stay(block: list[str], key: str) -> None:
    text = "\n".join(["---", "type: x", *block, "---", "body", ""])
    before = read(text)
    try:
        edited = remove_key(text, key)
    except MalformedFrontmatter:
        return
    rest = {name: value for name, value in before.values.items() if name != key}
    assert dict(read(edited).values) == rest


@given(TEXTS, st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=4), TEXTS)
def test_a_map_keeps_what_is_written_by_hand(
    before: str, entries: list[tuple[str, str, str]], after: str
) -> None:
    lines = [MapEntry(f"p{n}.md", title, text) for n, (title, text, _) in enumerate(entries)]
    first = render_map(before, lines)
    assert first.startswith(before)
    whole = first + "\n" + after
    if not markers_defect(whole):
        again = render_map(whole, lines[:1])
        assert again.startswith(before) and again.endswith("\n" + after)
        assert render_map(again, lines[:1]) == again
