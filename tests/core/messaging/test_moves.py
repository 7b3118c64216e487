"""Which status may follow which: the whole table."""

import pytest

from core.messaging import Status, may_become
from core.messaging.moves import MOVES, REVIVABLE

AFTER_DELIVERY = (Status.READ, Status.BOUNCED, Status.COMPLAINED)
FINAL = (Status.DELIVERED, Status.UNDELIVERED, Status.FAILED, *AFTER_DELIVERY)
FOLLOWERS: dict[Status, tuple[Status, ...]] = {
    Status.QUEUED: (Status.SENDING, Status.SENT, *FINAL),
    Status.SENDING: (Status.SENT, *FINAL),
    Status.SENT: FINAL,
    Status.DELIVERED: AFTER_DELIVERY,
    Status.UNDELIVERED: (),
    Status.FAILED: (),
    Status.READ: (),
    Status.BOUNCED: (),
    Status.COMPLAINED: (),
    Status.ARCHIVED: (),
}
REASONS = [
    None,
    "invalid_number",
    "carrier_rejected",
    "blacklisted",
    "expired",
    "indeterminate",
    "abandoned",
]


@pytest.mark.parametrize("old", Status)
@pytest.mark.parametrize("new", Status)
def test_a_status_is_followed_by_a_later_one_only(old: Status, new: Status) -> None:
    assert may_become(old, None, new) is (new in FOLLOWERS[old])


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("new", Status)
def test_a_failed_message_may_become_delivered_when_nobody_was_sure(
    reason: str | None, new: Status
) -> None:
    revives = reason in ("expired", "indeterminate") and new in (Status.DELIVERED, Status.READ)

    assert may_become(Status.FAILED, reason, new) is revives


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("old", [status for status in Status if status is not Status.FAILED])
def test_a_reason_opens_nothing_for_a_message_that_has_not_failed(
    old: Status, reason: str | None
) -> None:
    for new in Status:
        assert may_become(old, reason, new) is may_become(old, None, new)


def test_the_pairs_for_statements_are_the_same_table() -> None:
    assert set(MOVES) == {(old.value, new.value) for old, news in FOLLOWERS.items() for new in news}
    assert set(REVIVABLE) == {"expired", "indeterminate"}
