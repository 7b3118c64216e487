"""Data that is too long for a delivery: cut once, when the event is written, and said so."""

from typing import Any

import orjson
import pytest

from core.foundation.database import db
from core.webhooks.events.truncate import MAX_DATA_BYTES, truncated_data
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver
from tests.support.subscriptions import deliver_all

MOST = 20_000


def test_what_fits_is_left_as_it_is() -> None:
    data = {"id": "msg_1", "body": "x" * 19_000}

    assert truncated_data(data) is data


@pytest.mark.parametrize(
    "data",
    [
        {"body": "x" * 30_000},
        {"body": "\U0001f600" * 10_000},
        {"payload": {"sections": [{"text": "é" * 3_000} for _ in range(20)]}},
        {"tags": [f"tag-{n}-{'x' * 40}" for n in range(1_000)]},
    ],
    ids=["one text", "wide characters", "texts deep inside", "many short ones"],
)
def test_longer_texts_are_cut_until_it_fits(data: dict[str, Any]) -> None:
    shown = truncated_data({"id": "msg_1", **data})

    assert len(orjson.dumps(shown)) <= MOST
    assert (shown["id"], shown["truncated"]) == ("msg_1", True)
    assert shown.keys() == {"id", "truncated", *data}


def test_of_too_many_small_things_their_holder_stays_empty() -> None:
    form = {f"field{n}": "x" * 20 for n in range(1_000)}

    shown = truncated_data(
        {"id": "msg_1", "payload": form, "link": {"source": "meta"}, "names": ["a", "b"]}
    )

    assert shown == {
        "id": "msg_1",
        "payload": {},
        "link": {"source": "meta"},
        "names": ["a", "b"],
        "truncated": True,
    }


def test_metadata_comes_back_as_it_was_sent() -> None:
    metadata = {f"key{n}": "x" * 256 for n in range(20)}

    shown = truncated_data({"id": "msg_1", "body": "x" * 30_000, "metadata": metadata})

    assert shown["metadata"] == metadata
    assert len(orjson.dumps(shown)) <= MOST


SMALL = {"id": "msg_1", "subject": "s" * 300}
"""Texts that are longer than what a cut leaves, and nobody's trouble."""


def test_metadata_that_alone_is_too_long_costs_small_texts_nothing() -> None:
    data = {**SMALL, "metadata": metadata_of(21_000)}

    assert truncated_data(data) == data


def test_metadata_that_leaves_room_for_cut_texts_only_has_them_cut() -> None:
    metadata = metadata_of(MAX_DATA_BYTES - 200)

    shown = truncated_data({**SMALL, "metadata": metadata})

    assert shown == {"id": "msg_1", "subject": "s" * 60, "metadata": metadata, "truncated": True}
    assert len(orjson.dumps(shown)) <= MAX_DATA_BYTES


def test_what_short_texts_exceed_by_is_not_cut_and_not_told() -> None:
    data = {"id": "msg_1", "status": "x" * 60, "metadata": metadata_of(MAX_DATA_BYTES - 50)}

    assert len(orjson.dumps(data)) > MAX_DATA_BYTES
    assert truncated_data(data) == data


def test_texts_give_way_to_small_metadata() -> None:
    metadata = metadata_of(1_000)

    shown = truncated_data({"id": "msg_1", "body": "x" * 19_000, "metadata": metadata})

    assert shown == {"id": "msg_1", "body": "x" * 4_000, "metadata": metadata, "truncated": True}


def test_where_both_are_too_long_the_texts_are_cut_as_they_would_be_without_metadata() -> None:
    texts = {"id": "msg_1", "subject": "s" * 5_000, "body": "x" * 30_000}
    metadata = metadata_of(30_000)

    shown = truncated_data({**texts, "metadata": metadata})

    assert shown == {**truncated_data(texts), "metadata": metadata}
    assert shown["truncated"] is True


def metadata_of(size: int) -> dict[str, str]:
    """Metadata of so many bytes when written down; one long text stands for many."""
    return {"key": "m" * (size - len('{"key":""}'))}


@pytest.mark.usefixtures("clean_slate")
async def test_every_door_tells_the_cut_data(receiver: Receiver) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)

    await an_event(caller, body="x" * 30_000)
    await deliver_all()

    (arrival,) = receiver.arrivals
    assert len(arrival.body) <= MOST
    assert arrival.event["data"]["truncated"] is True
    assert arrival.event["data"] == await db.fetchval("SELECT data FROM webhook_events")
