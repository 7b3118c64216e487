"""Posting signed webhooks from memory with nothing stored: what a delivery costs at the very least."""

import json

from bench.kit.drained import Drained, row_of
from bench.kit.house import House
from bench.kit.receiver import Receiver, receiver
from bench.kit.report import Report

NUMBER = 20_000
ROUNDS = 3
CONCURRENCY = 200
"""As many as the service has under way."""
PATIENCE_SECONDS = 120.0


async def measure(house: House) -> Report:
    """Rounds of posts from one process to a receiver in ours."""
    async with receiver() as here:
        rounds = []
        most = min(ROUNDS, house.effort.rounds)
        for number in range(1, most + 1):
            house.say(f"round {number} of {most}")
            rounds.append(await floor_round(house, here, NUMBER))
    return Report("webhook_floor", rows=[row_of("posts", rounds)])


async def floor_round(house: House, here: Receiver, number: int) -> Drained:
    """Post so many bodies and see them arrive."""
    here.expect(number)
    poster = house.program(
        "poster", "-m", "bench.floors.poster", str(here.port), str(number), str(CONCURRENCY)
    )
    with poster:
        await here.all_seen(within=PATIENCE_SECONDS)
        await poster.ended(within=PATIENCE_SECONDS)
    told = json.loads(poster.log.read_text().splitlines()[-1])
    return Drained(number, here.requests, told["seconds"], told["cpu_seconds"])
