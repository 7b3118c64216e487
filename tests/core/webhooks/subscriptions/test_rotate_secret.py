"""Rotating the secret: the new one is shown once, the old one ends at once or signs on for a while."""

import asyncio
import base64
import hashlib
import hmac
import re
from datetime import datetime, timedelta

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.foundation.validation.inputs import read_body
from core.webhooks import WebhookSubscription
from core.webhooks.signing.secret_box import open_secret
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Arrival, Receiver, a_receiver, signed_by
from tests.support.subscriptions import deliver_all, everything_of, make, standard_accepts


async def rotated(caller: Caller, id: str, overlap: int = 0) -> webhooks.RevealedSecret:
    return await webhooks.rotate_secret(
        caller, id, webhooks.SecretRotation(overlap_seconds=overlap)
    )


async def a_delivery(caller: Caller, receiver: Receiver) -> Arrival:
    """One event, delivered."""
    receiver.arrivals.clear()
    await an_event(caller)
    await deliver_all()
    (arrival,) = receiver.arrivals
    return arrival


def accepted_by(arrival: Arrival, *secrets: str) -> list[bool]:
    """By each secret: whether our signature and the standard one fit. They never disagree."""
    ours = [signed_by(secret, arrival) for secret in secrets]
    assert [standard_accepts(secret, arrival) for secret in secrets] == ours
    return ours


# The answer ---------------------------------------------------------------------------------------


async def test_the_new_secret_is_answered_with_its_version(clean_slate: None) -> None:
    caller = await a_caller()
    made = await a_subscription(caller)
    id, old = made["webhook"]["id"], made["reveal"]["secret"]

    answer = await rotated(caller, id)

    assert set(answer) == {"id", "secret", "secretVersion", "createdAt"}
    assert (answer["id"], answer["secretVersion"]) == (id, 2)
    assert re.fullmatch(r"whsec_[A-Za-z0-9]{32}", answer["secret"])
    assert answer["secret"] != old
    assert abs(datetime.fromisoformat(answer["createdAt"]) - now()) < timedelta(minutes=1)


async def test_the_record_tells_the_version_and_never_a_secret(clean_slate: None) -> None:
    caller = await a_caller()
    made = await a_subscription(caller)
    before = made["webhook"]

    answer = await rotated(caller, before["id"], overlap=60)
    record = await webhooks.get_subscription(caller, before["id"])

    assert record["secretVersion"] == 2
    assert record["updatedAt"] == answer["createdAt"]
    assert record["secretCipher"] != before["secretCipher"]
    assert set(record) == set(before)
    row = repr(await everything_of(before["id"]))
    for secret in (answer["secret"], made["reveal"]["secret"]):
        assert secret not in repr(record)
        assert secret not in row


@pytest.mark.parametrize("status", ["active", "paused", "failing", "revoked"])
async def test_rotation_changes_the_secret_and_no_state(clean_slate: None, status: str) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, headers=[{"key": "X-A", "value": "1"}]))["webhook"]["id"]
    await make(id, status, failures=3)
    before = await everything_of(id)

    await rotated(caller, id)

    after = await everything_of(id)
    moved = {name for name, value in after.items() if value != before[name]}
    assert moved == {"secret_cipher", "secret_version", "updated_at"}


# Signing ------------------------------------------------------------------------------------------


async def test_the_previous_secret_is_invalid_at_once(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        old = made["reveal"]["secret"]
        assert accepted_by(await a_delivery(caller, receiver), old) == [True]

        new = (await rotated(caller, made["webhook"]["id"]))["secret"]

        arrival = await a_delivery(caller, receiver)
        assert accepted_by(arrival, new, old) == [True, False]
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", arrival.headers["x-svc-signature"])


async def test_what_was_queued_before_the_rotation_is_signed_with_the_new_secret(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        await an_event(caller)

        new = (await rotated(caller, made["webhook"]["id"]))["secret"]
        await deliver_all()

        assert accepted_by(receiver.arrivals[0], new, made["reveal"]["secret"]) == [True, False]


async def test_while_a_rotation_overlaps_both_secrets_sign_the_new_one_first(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        old = made["reveal"]["secret"]

        new = (await rotated(caller, made["webhook"]["id"], overlap=3600))["secret"]

        arrival = await a_delivery(caller, receiver)
        assert accepted_by(arrival, new, old) == [True, True]
        at, body = arrival.headers["webhook-timestamp"], arrival.body
        hexes = [
            hmac.new(s.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
            for s in (new, old)
        ]
        assert arrival.headers["x-svc-signature"] == f"t={at},v1={hexes[0]},v1={hexes[1]}"
        text = f"{arrival.headers['webhook-id']}.{at}.".encode() + body
        standard = [
            base64.b64encode(
                hmac.digest(base64.b64decode(s.removeprefix("whsec_")), text, "sha256")
            ).decode()
            for s in (new, old)
        ]
        assert arrival.headers["webhook-signature"] == f"v1,{standard[0]} v1,{standard[1]}"


async def test_the_overlap_ends_by_itself(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        id, old = made["webhook"]["id"], made["reveal"]["secret"]
        new = (await rotated(caller, id, overlap=604_800))["secret"]
        until = (await WebhookSubscription.get(id=id)).previous_secret_until
        assert until is not None
        assert abs(until - now() - timedelta(days=7)) < timedelta(minutes=1)

        await WebhookSubscription.filter(id=id).update(previous_secret_until=now())

        assert accepted_by(await a_delivery(caller, receiver), new, old) == [True, False]


async def test_at_most_two_secrets_sign(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        id, first = made["webhook"]["id"], made["reveal"]["secret"]

        second = (await rotated(caller, id, overlap=3600))["secret"]
        third = (await rotated(caller, id, overlap=60))["secret"]

        assert accepted_by(await a_delivery(caller, receiver), third, second, first) == [
            True,
            True,
            False,
        ]


async def test_a_rotation_without_overlap_ends_an_earlier_overlap(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        id, first = made["webhook"]["id"], made["reveal"]["secret"]
        second = (await rotated(caller, id, overlap=3600))["secret"]

        third = (await rotated(caller, id))["secret"]

        assert accepted_by(await a_delivery(caller, receiver), third, second, first) == [
            True,
            False,
            False,
        ]
        row = await WebhookSubscription.get(id=id)
        assert (row.previous_secret_cipher, row.previous_secret_until) == (None, None)


async def test_the_ping_of_a_revoked_subscription_is_signed_like_its_deliveries(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        id, old = made["webhook"]["id"], made["reveal"]["secret"]
        new = (await rotated(caller, id, overlap=3600))["secret"]
        await make(id, "revoked")

        await webhooks.change_subscription(
            caller, id, webhooks.SubscriptionChanges(status=webhooks.SubscriptionSwitch.ACTIVE)
        )

        assert accepted_by(receiver.arrivals[0], new, old) == [True, True]


# Refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        (b'{"overlapSeconds":-1}', ("/overlapSeconds", "too_small")),
        (b'{"overlapSeconds":604801}', ("/overlapSeconds", "too_large")),
        (b'{"overlapSeconds":"60"}', ("/overlapSeconds", "wrong_type")),
        (b'{"overlapSeconds":1.5}', ("/overlapSeconds", "wrong_type")),
        (b'{"overlapSeconds":null}', ("/overlapSeconds", "wrong_type")),
        (b'{"overlap":1}', ("/overlap", "unknown_field")),
    ],
)
def test_an_overlap_lies_between_nothing_and_a_week(body: bytes, refused: tuple[str, str]) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(webhooks.SecretRotation, body)

    assert [(error.where, error.code) for error in refusal.value.errors] == [refused]


@pytest.mark.parametrize(("body", "seconds"), [(b"{}", 0), (b'{"overlapSeconds":604800}', 604_800)])
def test_without_a_word_there_is_no_overlap(body: bytes, seconds: int) -> None:
    assert read_body(webhooks.SecretRotation, body).overlap_seconds == seconds


async def test_a_key_that_only_reads_rotates_nothing(clean_slate: None) -> None:
    owner = await a_caller()
    id = (await a_subscription(owner))["webhook"]["id"]
    before = await everything_of(id)
    reader = await a_caller(
        scopes=KEY_SCOPES - {Scope.WEBHOOKS_WRITE}, organization_id=owner.organization_id
    )

    with pytest.raises(Forbidden):
        await rotated(reader, id)

    assert await everything_of(id) == before


@pytest.mark.parametrize("stranger", ["organization", "environment"])
async def test_a_strangers_secret_is_not_found(clean_slate: None, stranger: str) -> None:
    owner = await a_caller()
    id = (await a_subscription(owner))["webhook"]["id"]
    before = await everything_of(id)
    other = await a_caller(
        env="live" if stranger == "environment" else "test",
        organization_id=owner.organization_id if stranger == "environment" else None,
    )

    with pytest.raises(NotFound):
        await rotated(other, id)

    assert await everything_of(id) == before


@pytest.mark.parametrize("id", ["wbh_000000000000000000000", "wbh_x", "x" * 4000])
async def test_an_id_that_names_nothing_is_not_found(clean_slate: None, id: str) -> None:
    with pytest.raises(NotFound):
        await rotated(await a_caller(), id)


# Races --------------------------------------------------------------------------------------------


async def test_rotations_at_the_same_time_have_versions_of_their_own_and_the_last_one_wins(
    real_commits: None,
) -> None:
    caller = await a_caller()
    made = await a_subscription(caller)
    id = made["webhook"]["id"]

    answers = await asyncio.gather(*(rotated(caller, id, overlap=3600) for _ in range(6)))

    by_version = {answer["secretVersion"]: answer["secret"] for answer in answers}
    assert sorted(by_version) == [2, 3, 4, 5, 6, 7]
    row = await WebhookSubscription.get(id=id)
    assert row.secret_version == 7
    assert open_secret(id, row.secret_cipher) == by_version[7]
    assert row.previous_secret_cipher is not None
    assert open_secret(id, row.previous_secret_cipher) == by_version[6]
