"""What the simulated team knows: services, what is true of each, and how people put it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

SERVICES = (
    "Heron", "Quartz", "Lantern", "Saffron", "Meridian", "Cobalt", "Juniper", "Harbor",
    "Tundra", "Falcon", "Willow", "Ember", "Pylon", "Orchid", "Glacier", "Beacon",
    "Marlin", "Cedar", "Onyx", "Sparrow", "Delta Bridge", "Prism", "Tidal", "Acorn",
)  # fmt: skip


@dataclass(frozen=True)
class Attribute:
    """One thing that can be true of a service, how it is told and asked, and its values."""

    name: str
    tell: str
    reworded: str
    change: str
    decide: str
    """How a person says it in passing, in a conversation."""
    ask: str
    values: tuple[str, ...]
    guess: str
    """How an agent puts a conclusion of its own."""


ATTRIBUTES = (
    Attribute(
        "database",
        "{s} stores its data in {v}",
        "The database of {s} is {v}",
        "{s} now stores its data in {v}",
        "We decided that {s} stores its data in {v}",
        "Where does {s} store its data?",
        ("PostgreSQL 15", "MySQL 8", "SQLite", "CockroachDB", "MariaDB", "DynamoDB", "MongoDB"),
        "{s} probably stores its data in {v}",
    ),
    Attribute(
        "deploy day",
        "{s} is deployed on {v}",
        "Deploys of {s} happen on {v}",
        "{s} is now deployed on {v}",
        "From now on {s} is deployed on {v}",
        "On which day is {s} deployed?",
        ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays"),
        "{s} seems to be deployed on {v}",
    ),
    Attribute(
        "port",
        "{s} listens on port {v}",
        "The port of {s} is {v}",
        "{s} now listens on port {v}",
        "We decided that {s} listens on port {v}",
        "Which port does {s} listen on?",
        tuple(str(port) for port in range(8101, 8161, 7)),
        "{s} probably listens on port {v}",
    ),
    Attribute(
        "language",
        "{s} is written in {v}",
        "The language of {s} is {v}",
        "{s} is now written in {v}",
        "We decided that {s} is written in {v}",
        "Which language is {s} written in?",
        ("Rust", "Go", "Kotlin", "Elixir", "TypeScript", "Scala", "Ruby"),
        "{s} is likely written in {v}",
    ),
    Attribute(
        "region",
        "{s} runs in the region {v}",
        "The region of {s} is {v}",
        "{s} now runs in the region {v}",
        "We decided that {s} runs in the region {v}",
        "In which region does {s} run?",
        ("eu-west-1", "eu-central-1", "us-east-2", "ap-south-1", "sa-east-1", "ca-central-1"),
        "{s} appears to run in the region {v}",
    ),
    Attribute(
        "api",
        "{s} talks {v} to its clients",
        "The API style of {s} is {v}",
        "{s} now talks {v} to its clients",
        "We decided that {s} talks {v} to its clients",
        "What does {s} talk to its clients?",
        ("REST", "GraphQL", "gRPC", "tRPC", "SOAP"),
        "{s} may talk {v} to its clients",
    ),
    Attribute(
        "retention",
        "{s} keeps its logs for {v} days",
        "The log retention of {s} is {v} days",
        "{s} now keeps its logs for {v} days",
        "From now on {s} keeps its logs for {v} days",
        "How many days does {s} keep its logs?",
        ("14", "21", "30", "45", "60", "90", "120"),
        "{s} probably keeps its logs for {v} days",
    ),
    Attribute(
        "owner",
        "The {v} team owns {s}",
        "{s} is owned by the {v} team",
        "The {v} team now owns {s}",
        "We decided that the {v} team owns {s}",
        "Which team owns {s}?",
        ("platform", "payments", "search", "growth", "identity", "billing", "mobile"),
        "Perhaps the {v} team owns {s}",
    ),
    Attribute(
        "channel",
        "Alerts of {s} go to the channel #{v}",
        "The alert channel of {s} is #{v}",
        "Alerts of {s} now go to the channel #{v}",
        "From now on alerts of {s} go to the channel #{v}",
        "Which channel do alerts of {s} go to?",
        ("ops-night", "red-lights", "on-call", "sirens", "watchtower", "incidents"),
        "Alerts of {s} seem to go to the channel #{v}",
    ),
    Attribute(
        "backup",
        "{s} is backed up at {v}",
        "The backup time of {s} is {v}",
        "{s} is now backed up at {v}",
        "From now on {s} is backed up at {v}",
        "At what time is {s} backed up?",
        ("01:15", "02:30", "03:45", "04:20", "22:10", "23:35"),
        "{s} is probably backed up at {v}",
    ),
    Attribute(
        "Standort",
        "Der Server von {s} steht in {v}",
        "Der Standort des Servers von {s} ist {v}",
        "Der Server von {s} steht jetzt in {v}",
        "Der Server von {s} steht ab sofort in {v}",
        "Wo steht der Server von {s}?",
        ("Wien", "Bern", "Hamburg", "Leipzig", "Salzburg", "Kiel"),
        "Der Server von {s} steht wohl in {v}",
    ),
    Attribute(
        "缓存",
        "{s} 的缓存用 {v}",
        "{s} 使用 {v} 做缓存",
        "{s} 的缓存改用 {v}",
        "我们决定 {s} 的缓存用 {v}",
        "{s} 的缓存用什么？",
        ("Redis", "Memcached", "Hazelcast", "Varnish", "Dragonfly"),
        "{s} 的缓存可能用 {v}",
    ),
)

TRIVIA = (
    "Coffee machine descaled", "Looked at dashboards, nothing unusual", "Small talk about weather",
    "Renamed two local variables", "Stand-up, no news", "Reordered the icons of the wiki page",
    "Lunch was late", "Chased a flaky test, it passed again", "Cleaned the whiteboard",
    "Read release notes of an editor", "Archived old mails", "Waited for the build",
)  # fmt: skip

LESSONS = (
    "Integration tests fail when the clock of the runner drifts",
    "Large migrations lock the orders table for too long",
    "Retries without jitter overload the gateway",
    "Screenshots in tickets halve the time to reproduce",
)


@dataclass
class Truth:
    """A slot of a service: its value now and what it was before, each with its first day."""

    service: str
    attribute: Attribute
    spoken: bool
    """Told in conversation only, never by `remember`."""
    values: list[tuple[int, str]]
    """(day, value), the oldest first."""

    @property
    def value(self) -> str:
        """What is true now."""
        return self.values[-1][1]

    @property
    def question(self) -> str:
        """How a person asks for it."""
        return self.attribute.ask.format(s=self.service)

    def said(self, form: str, value: str = "") -> str:
        """Return a sentence of the given form about the value, or about the one that holds now."""
        return str(getattr(self.attribute, form)).format(s=self.service, v=value or self.value)


def slots(chance: random.Random) -> Iterator[tuple[str, Attribute]]:
    """Yield every service with every attribute once, in an order that the seed decides."""
    every = [(service, attribute) for service in SERVICES for attribute in ATTRIBUTES]
    chance.shuffle(every)
    yield from every
