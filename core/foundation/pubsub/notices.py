"""Notices, the messages of pub/sub: ids and closed sets of ours, never personal data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import orjson

PREFIX = "svc:live:"


class Topic(StrEnum):
    """Of what a notice is."""

    MESSAGE = "message"
    EVENT = "event"
    CARD = "card"
    PUSH = "push"
    JOURNEY = "journey"
    CLOCK = "clock"
    SMPP_BIND = "smpp_bind"


class Notice(NamedTuple):
    """The record `id` of an organization's environment changed. `facts` let a listener pass over
    what it does not want without a look into the database.
    """

    topic: Topic
    organization_id: str
    env: str
    id: str
    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReceivedNotice:
    """A notice as it arrives; whose it is, the channel tells."""

    topic: str
    id: str
    facts: Mapping[str, str]


def channel_of(organization_id: str, env: str) -> str:
    """The Redis channel of an organization's environment; nobody else's notices are on it."""
    return f"{PREFIX}{organization_id}:{env}"


def packed(notices: Iterable[Notice]) -> bytes:
    """Notices of one channel as one message."""
    return orjson.dumps([(notice.topic, notice.id, notice.facts) for notice in notices])


def unpacked(message: bytes) -> list[ReceivedNotice]:
    """The notices of a message."""
    return [ReceivedNotice(topic, id, facts) for topic, id, facts in orjson.loads(message)]
