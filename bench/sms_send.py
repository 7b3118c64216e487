"""Sending an SMS over REST, against the least that could be done: one insert with its own commit.

The service is loaded by one organization, then by many at once: the wallet of one organization is a
row that every send of it has to change.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from bench.floors.insert import PATH as FLOOR_PATH
from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, p99_ratio, rate_ratio, row_of
from bench.kit.sends import PATH, Body, an_sms, sends

CONCURRENCY = 16
MANY = 200
TURNS = 4
"""Short turns instead of one long round: what else the machine does then meets neighbours alike."""
WARM_UP_SECONDS = 0.7
CREATED = 201


@dataclass(frozen=True, slots=True)
class Sending:
    """One of several ways to send that are compared: where to, for whom, and what."""

    path: str
    customers: Sequence[Customer]
    body: Callable[[int], Body] = an_sms


async def measure(house: House) -> Report:
    """Floor, one organization and many organizations, in turn."""
    async with house.database():
        customers = await some_customers(MANY)
    ways = {
        "one organization": Sending(PATH, customers[:1]),
        f"{MANY} organizations": Sending(PATH, customers),
    }
    return _report(await beside_floor(house, ways, floor=Sending(FLOOR_PATH, customers[:1])))


async def beside_floor(
    house: House, ways: Mapping[str, Sending], *, floor: Sending
) -> dict[str, list[Round]]:
    """Load the floor and the service, each way in turn."""
    with ExitStack() as started:
        # One after the other: a port that is picked before another server listens could be the
        # same.
        bare = started.enter_context(house.application("bench.floors.insert:create_app"))
        bare.wait_until_ready()
        service = started.enter_context(house.api())
        service.wait_until_ready()
        variants = {"floor": (bare, floor), **{name: (service, way) for name, way in ways.items()}}
        rounds: dict[str, list[Round]] = {name: [] for name in variants}
        turns = house.effort.rounds * TURNS
        for number in range(turns + 1):
            if number % TURNS == 0:
                house.say(f"turn {number} of {turns}" if number else "warming up")
            for name, (server, way) in variants.items():
                result = await load_round(
                    house,
                    server,
                    sends(way.customers, run=f"{name} {number}", path=way.path, body=way.body),
                    concurrency=CONCURRENCY,
                    seconds=house.effort.seconds / TURNS if number else WARM_UP_SECONDS,
                    status=CREATED,
                )
                if number:
                    rounds[name].append(result)
    return rounds


def _report(rounds: dict[str, list[Round]]) -> Report:
    floor = rounds["floor"]
    measured = {name: of_one for name, of_one in rounds.items() if name != "floor"}
    return Report(
        "sms_send",
        rows=[row_of(name, of_one) for name, of_one in rounds.items()],
        goals=[
            goal
            for name, of_one in measured.items()
            for goal in (
                Goal(
                    f"{name}: rate against the floor",
                    rate_ratio(of_one, floor),
                    "at least",
                    1 / 3,
                    1 / 2,
                ),
                Goal(f"{name}: p99 against the floor", p99_ratio(of_one, floor), "at most", 5),
            )
        ],
        notes=[
            (
                f"POST {PATH} in the sandbox, {CONCURRENCY} requests under way, each with its own Idempotency-Key; "
                "CPU per request, of the server process and of all PostgreSQL processes"
            )
        ],
    )
