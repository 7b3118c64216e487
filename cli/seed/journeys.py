"""Journeys with people inside. They stand still: nobody who was made up is written to."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import orjson

from cli.seed.chunks import write_chunks
from cli.seed.copy_text import copy_text
from cli.seed.names import free_names
from cli.seed.run import Chunk, Run, chunks_of
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.journeys.models import JourneyReentry, JourneyStatus
from core.journeys.runs.batch import Result
from core.journeys.runs.counts import WHOLE
from core.journeys.runs.models import CountKind, RunState
from core.journeys.runs.program import compile_program

MAX_INSIDE = 2_000
"""Contacts that went in; of more, the first ones."""
DAYS = 20.0
WAIT = timedelta(hours=48)
SENT = timedelta(seconds=2)
SKIPPED_SHARE, TAKEN_OUT_SHARE = 0.05, 0.03

STEPS: list[dict[str, Any]] = [
    {"id": "ola", "tipo": "mensagem", "rotulo": "Olá", "proximo": "dois-dias",
     "config": {"canal": "sms", "texto": "Que bom ter você aqui! Seu cupom: OLA10"}},
    {"id": "dois-dias", "tipo": "espera", "config": {"duracaoHoras": 48}, "proximo": "lembrete"},
    {"id": "lembrete", "tipo": "mensagem", "rotulo": "Lembrete", "proximo": "fim",
     "config": {"canal": "sms", "texto": "O cupom OLA10 vale até domingo"}},
    {"id": "fim", "tipo": "saida", "config": {"motivo": "recebido"}},
]  # fmt: skip
HELLO, PAUSE, REMINDER, END = range(1, 5)

JOURNEYS = (("Boas-vindas", "cadastro"), ("Carrinho abandonado", "carrinho_abandonado"))
"""Their names, and the customer events that they begin with: one with people inside, and a draft."""

JOURNEY_COLUMNS = (
    "id", "organization_id", "env", "name", "status", "trigger", "reentry", "steps",
    "entry_step_id", "activated_at",
    "lineage_id", "program", "created_at", "updated_at",
)  # fmt: skip
RUN_COLUMNS = (
    "id", "organization_id", "env", "version_id", "lineage_id", "contact_id", "state", "step",
    "seq", "due_at",
    "wait_since", "entered_at", "step_at", "ended_at", "end_reason",
)  # fmt: skip
TRAIL_COLUMNS = ("run_id", "seq", "at", "step", "outcome", "facts")
COUNT_COLUMNS = ("organization_id", "env", "version_id", "step", "kind", "reason", "delta")


@dataclass(slots=True)
class PastRuns:
    """Who went through a journey: rows of runs and of their trail, and what is counted of them."""

    owner: tuple[str, str]
    version_id: str
    as_of: datetime
    runs: list[tuple[Any, ...]] = field(default_factory=list)
    trail: list[tuple[Any, ...]] = field(default_factory=list)
    counts: Counter[tuple[int, int, str]] = field(default_factory=Counter)

    def add(self, key: str, contact_id: str, entered: datetime, random: Random) -> None:
        """Somebody who came in then, as far as there was time to go."""
        skipped, taken_out, share = random.random(), random.random(), random.random()
        said, due = entered + SENT, entered + SENT + WAIT
        self.counts[WHOLE, RunState.ACTIVE, ""] += 1
        self._left(key, 1, 0, entered)
        self._left(key, 2, HELLO, said, skips=skipped < SKIPPED_SHARE)
        self.counts[PAUSE, CountKind.ENTERED, ""] += 1
        start = (key, *self.owner, self.version_id, self.version_id, contact_id)
        if taken_out < TAKEN_OUT_SHARE:
            left = min(said + share * WAIT, self.as_of)
            self._ended(key, 3, PAUSE, left, state=RunState.CANCELED, reason="retirada")
            waited = (None, None, entered, said)
            self.runs.append((*start, int(RunState.CANCELED), PAUSE, 3, *waited, left, "retirada"))
        elif due > self.as_of:
            self.runs.append(
                (*start, int(RunState.ACTIVE), PAUSE, 3, due, entered, entered, said, None, None)
            )
        else:
            self.counts[PAUSE, CountKind.LEFT, ""] += 1
            self._note(key, 3, PAUSE, due, result=Result.WENT_ON)
            self._left(key, 4, REMINDER, due + SENT)
            self.counts[END, CountKind.ENTERED, ""] += 1
            self._ended(key, 5, END, due + SENT, state=RunState.DONE, reason="recebido")
            ended = (None, None, entered, due + SENT, due + SENT, "recebido")
            self.runs.append((*start, int(RunState.DONE), END, 5, *ended))

    def _left(self, key: str, seq: int, step: int, at: datetime, *, skips: bool = False) -> None:
        """It came to a step and left it."""
        self.counts[step, CountKind.ENTERED, ""] += 1
        self.counts[step, CountKind.LEFT, ""] += 1
        if skips:
            self.counts[step, CountKind.SKIPPED, "opt_out"] += 1
            self._note(key, seq, step, at, result=Result.SKIPPED, reason="opt_out")
        else:
            self._note(key, seq, step, at, result=Result.WENT_ON)

    def _ended(
        self, key: str, seq: int, step: int, at: datetime, *, state: RunState, reason: str
    ) -> None:
        self.counts[step, CountKind.LEFT, ""] += 1
        self.counts[WHOLE, RunState.ACTIVE, ""] -= 1
        self.counts[WHOLE, state, ""] += 1
        self._note(key, seq, step, at, result=Result.ENDED, reason=reason)

    def _note(
        self,
        key: str,
        seq: int,
        step: int,
        at: datetime,
        *,
        result: Result,
        reason: str | None = None,
    ) -> None:
        facts = None if reason is None else orjson.dumps({"motivo": reason}).decode()
        self.trail.append((key, seq, at, step, int(result), facts))


async def write_journeys(run: Run, count: int) -> dict[str, int]:
    """Write the journeys, and who went through the first; answers how many are new."""
    run.caller.require(Scope.CAMPAIGNS_WRITE)
    written = {"journeys": 0, "journeyRuns": 0}

    def make(chunk: Chunk) -> list[str]:
        return run.ids("jor", "journeys", chunk)

    async def write(ids: list[str]) -> None:
        names = await free_names(run, "journeys", [name for name, _ in JOURNEYS])
        rows = [
            _journey(run, place, id, name)
            for place, (id, name) in enumerate(zip(ids, names, strict=True))
        ]
        await db.copy_in("journeys", JOURNEY_COLUMNS, copy_text(rows))
        past = await _past_runs(run, ids[0])
        await db.copy_in("journey_runs", RUN_COLUMNS, copy_text(past.runs))
        await db.copy_in("journey_trail", TRAIL_COLUMNS, copy_text(past.trail))
        counts = [
            (*run.owner, ids[0], step, int(kind), reason, many)
            for (step, kind, reason), many in sorted(past.counts.items())
        ]
        await db.copy_in("journey_step_counts", COUNT_COLUMNS, copy_text(counts))
        written["journeys"] += len(ids)
        written["journeyRuns"] += len(past.runs)

    await write_chunks(
        run, "journeys", count, table="journeys", prefix="jor", make=make, write=write
    )
    return written


def _journey(run: Run, place: int, id: str, name: str) -> tuple[Any, ...]:
    at = run.as_of - timedelta(days=DAYS + 2 + place, hours=4)
    trigger = orjson.dumps({"nome": JOURNEYS[place][1]}).decode()
    steps = orjson.dumps(STEPS).decode()
    stands: tuple[Any, ...] = (None, None, None)
    if place == 0:
        stands = (at, id, orjson.dumps(compile_program(STEPS, "ola")).decode())
    status = JourneyStatus.DRAFT if place else JourneyStatus.PAUSED
    reentry = JourneyReentry.NEVER.value
    return (id, *run.owner, name, status.value, trigger, reentry, steps, "ola", *stands, at, at)


async def _past_runs(run: Run, version_id: str) -> PastRuns:
    """Contacts of this seed, in the order in which they were made."""
    past = PastRuns(run.owner, version_id, run.as_of)
    random = run.random("journeys")
    for chunk in chunks_of(min(run.counts.get("contacts", 0), MAX_INSIDE)):
        ids = run.ids("cnt", "contacts", chunk)
        came = {
            row["id"]: row["created_at"] for row in await db.fetch(CAME, *run.owner, ids, run.as_of)
        }
        for id in ids:
            drawn = run.as_of - timedelta(days=DAYS * random.random())
            one = Random(random.random())  # noqa: S311 - it has to be foreseeable
            if id in came and came[id] + timedelta(minutes=1) < run.as_of:
                past.add(_key(version_id, id, drawn), id, max(drawn, came[id]), one)
    return past


def _key(version_id: str, contact_id: str, at: datetime) -> str:
    """The key of a run: the milliseconds of its time, as all have it, and what is the same every
    time.
    """
    drawn = hashlib.shake_256(f"{version_id}:{contact_id}".encode()).hexdigest(10)
    time = f"{int(at.timestamp() * 1_000):012x}"
    return str(UUID(hex=f"{time}7{drawn[:3]}8{drawn[3:18]}"))


CAME = """
SELECT id, created_at FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND created_at < $4
"""
