"""Sending RCS messages and e-mails over REST, against the floor of `sms_send`: one insert with its own commit."""

from bench.floors.insert import PATH as FLOOR_PATH
from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import rate_ratio, row_of
from bench.kit.sends import an_email, an_rcs
from bench.sms_send import CONCURRENCY, Sending, beside_floor

GOAL = 0.35


async def measure(house: House) -> Report:
    """Floor, RCS and e-mail of one organization, in turn."""
    async with house.database():
        customers = await some_customers(1)
    ways = {
        "RCS": Sending("/v2/rcs/messages", customers, an_rcs),
        "e-mail": Sending("/v2/email/messages", customers, an_email),
    }
    rounds = await beside_floor(house, ways, floor=Sending(FLOOR_PATH, customers))
    return Report(
        "channel_sends",
        rows=[row_of(name, of_one) for name, of_one in rounds.items()],
        goals=[
            Goal(
                f"{name}: rate against the floor",
                rate_ratio(rounds[name], rounds["floor"]),
                "at least",
                GOAL,
            )
            for name in ways
        ],
        notes=[
            (
                f"In the sandbox, {CONCURRENCY} requests under way, each with its own "
                "Idempotency-Key; e-mails of the category transactional"
            )
        ],
    )
