"""What dry runs cost real sends: the same load with and without an organization that rehearses beside it
as often as it may.
"""

import asyncio
from collections.abc import Iterator

from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.paced import paced
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, p99_ratio, rate_ratio, row_of
from bench.kit.sends import PATH, sends
from bench.sms_send import CONCURRENCY, CREATED, MANY, WARM_UP_SECONDS
from core.foundation.database.dry_runs import MAX_PER_SECOND

TURNS = 4
SPARE = 0.5
"""Of a rehearsal's last turn: the bucket of the next one is full again."""


async def measure(house: House) -> Report:
    """Both ways in turn, each of them first as often as the other."""
    async with house.database():
        customers = await some_customers(MANY)
    rounds: dict[str, list[Round]] = {"beside dry runs": [], "alone": []}
    with house.api() as server:
        server.wait_until_ready()
        turns = house.effort.rounds * TURNS
        seconds = max(1.0, house.effort.seconds / TURNS)
        for number in range(turns + 1):
            if number % TURNS == 0:
                house.say(f"turn {number} of {turns}" if number else "warming up")
            for name in rounds if number % 2 else reversed(rounds):
                load = load_round(
                    house,
                    server,
                    sends(customers, run=f"{name} {number}", path=PATH),
                    concurrency=CONCURRENCY,
                    seconds=seconds if number else WARM_UP_SECONDS,
                    status=CREATED,
                )
                if name == "alone" or not number:
                    result = await load
                else:
                    result, _ = await asyncio.gather(
                        load,
                        paced(
                            server.port,
                            rehearsals(customers[:1], run=f"dry {number}"),
                            per_second=MAX_PER_SECOND,
                            seconds=seconds,
                            status=CREATED,
                        ),
                    )
                if number:
                    rounds[name].append(result)
                await asyncio.sleep(SPARE)
    beside, alone = rounds["beside dry runs"], rounds["alone"]
    return Report(
        "dry_runs",
        rows=[row_of(name, of_one) for name, of_one in rounds.items()],
        goals=[
            Goal("rate beside dry runs against alone", rate_ratio(beside, alone), "at least", 0.95),
            Goal("p99 beside dry runs against alone", p99_ratio(beside, alone), "at most", 1.5),
        ],
        notes=[
            (
                f"POST {PATH} in the sandbox, {MANY} organizations, {CONCURRENCY} requests under way; "
                f"one of them rehearses {MAX_PER_SECOND} sends a second"
            )
        ],
    )


def rehearsals(customers: list[Customer], *, run: str) -> Iterator[bytes]:
    """The same sends as dry runs."""
    for request in sends(customers, run=run, path=PATH):
        yield request.replace(b"\r\n", b"\r\nX-SVC-Dry-Run: true\r\n", 1)
