"""What the facts of a decision cost a send: the service with them against the service without, in turns."""

from contextlib import ExitStack

from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, rate_ratio, row_of
from bench.kit.sends import PATH, sends
from bench.sms_send import CONCURRENCY, CREATED, MANY, WARM_UP_SECONDS

TURNS = 8
"""Shorter than elsewhere: what is looked for is small, and the machine changes meanwhile."""


async def measure(house: House) -> Report:
    """Both ways in turn, each of them first as often as the other."""
    async with house.database():
        customers = await some_customers(MANY)
    rounds: dict[str, list[Round]] = {"with facts": [], "without": []}
    with ExitStack() as started:
        with_facts = started.enter_context(house.application("rest_api.app:create_app"))
        with_facts.wait_until_ready()
        without = started.enter_context(house.application("bench.floors.untraced:create_app"))
        without.wait_until_ready()
        ways = [("with facts", with_facts), ("without", without)]
        turns = house.effort.rounds * TURNS
        for number in range(turns + 1):
            if number % TURNS == 0:
                house.say(f"turn {number} of {turns}" if number else "warming up")
            for name, server in ways if number % 2 else reversed(ways):
                result = await load_round(
                    house,
                    server,
                    sends(customers, run=f"{name} {number}", path=PATH),
                    concurrency=CONCURRENCY,
                    seconds=house.effort.seconds / TURNS if number else WARM_UP_SECONDS,
                    status=CREATED,
                )
                if number:
                    rounds[name].append(result)
    return Report(
        "sms_facts",
        rows=[row_of(name, of_one) for name, of_one in rounds.items()],
        goals=[
            Goal(
                "rate with facts against without",
                rate_ratio(rounds["with facts"], rounds["without"]),
                "at least",
                0.97,
            )
        ],
        notes=[
            (
                f"POST {PATH} in the sandbox, {MANY} organizations, {CONCURRENCY} requests under way; "
                "both write into one database, one after the other"
            )
        ],
    )
