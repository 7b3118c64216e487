"""The board of a pipeline with 10 stages and 10,000 cards, read and written as JSON, against the
bare SQL of it.
"""

import statistics
import time
from collections.abc import Awaitable, Callable

import orjson

from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from core import cards, pipelines
from core.cards.rank import spread
from core.foundation.database import db
from core.foundation.security.caller import Caller, system_caller

STAGES = 10
CARDS = 10_000
FIRST = 50
PER_ROUND = 20

BARE = """
SELECT s.id AS stage, t.count, t.value, c.* FROM pipeline_stages s
LEFT JOIN (
    SELECT stage_id, count(*) AS count, sum(value) AS value FROM cards
    WHERE organization_id = $1 AND env = 'test' AND pipeline_id = $2 GROUP BY stage_id) t ON t.stage_id = s.id
LEFT JOIN LATERAL (SELECT * FROM cards WHERE stage_id = s.id ORDER BY rank COLLATE "C" LIMIT $3) c ON true
WHERE s.pipeline_id = $2
ORDER BY s.position, c.rank COLLATE "C"
"""

FILL = """
INSERT INTO cards (id, organization_id, env, pipeline_id, stage_id, title, status, rank, version, value, currency,
    stage_since, attributes, tags, origin, created_by_id, created_at, updated_at)
SELECT 'crd_' || lpad(n::text, 21, '0'), $1, 'test', $2, ($3::text[])[1 + n % cardinality($3::text[])], 'Deal ' || n,
    'aberto', r.rank, 1, n % 5000, 'BRL', now() - n * interval '1 minute', jsonb_build_object('n', n),
    ARRAY['a', 'b'], 'api', 'acc_bench', now() - n * interval '1 hour', now()
FROM unnest($4::text[]) WITH ORDINALITY AS r (rank, n)
"""

ACTIVITIES = """
INSERT INTO card_activities
    (id, organization_id, env, card_id, kind, title, due_at, created_by_id, created_at, updated_at)
SELECT 'atv_' || substr(id, 5), organization_id, env, id, 'tarefa', 'Call', now() + interval '1 day', 'acc_bench',
    now(), now()
FROM cards WHERE pipeline_id = $1
"""


async def measure(house: House) -> Report:
    """Rounds of both in turn, one read at a time."""
    bare: list[float] = []
    board: list[float] = []
    async with house.database():
        [customer] = await some_customers(1)
        caller = system_caller(customer.organization_id, "test")
        house.say(f"writing {CARDS:,} cards")
        pipeline_id = await _fill(caller)

        async def by_hand() -> None:
            rows = await db.fetch(BARE, caller.organization_id, pipeline_id, FIRST)
            assert len(rows) == STAGES * FIRST

        async def by_use_case() -> None:
            orjson.dumps(await cards.read_board(caller, pipeline_id, first=FIRST))

        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            bare.append(await _time(by_hand))
            board.append(await _time(by_use_case))
    bare, board = bare[1:], board[1:]
    ratio = statistics.median(one / other for one, other in zip(board, bare, strict=True))
    return Report(
        "board",
        rows=[
            Row(name, {"ms": statistics.median(times) * 1000, "best ms": min(times) * 1000})
            for name, times in (("bare SQL", bare), ("the board as JSON", board))
        ],
        goals=[Goal("time against the bare SQL", ratio, "at most", 3)],
        notes=[
            f"{STAGES} stages, {CARDS:,} cards with an open activity each, the first {FIRST} of each stage"
        ],
    )


async def _fill(caller: Caller) -> str:
    new = pipelines.NewPipeline.model_validate(
        {"nome": "bench", "etapas": [{"nome": f"{n}"} for n in range(STAGES)]}
    )
    pipeline = await pipelines.create_pipeline(caller, new)
    stages = [stage["id"] for stage in pipeline["etapas"]]
    await db.execute(FILL, caller.organization_id, pipeline["id"], stages, spread(CARDS))
    await db.execute(ACTIVITIES, pipeline["id"])
    await db.execute("VACUUM ANALYZE cards")
    await db.execute("VACUUM ANALYZE card_activities")
    return str(pipeline["id"])


async def _time(read: Callable[[], Awaitable[None]]) -> float:
    """Seconds of one read, the median of some."""
    times = []
    for _ in range(PER_ROUND):
        started = time.perf_counter()
        await read()
        times.append(time.perf_counter() - started)
    return statistics.median(times)
