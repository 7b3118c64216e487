"""The step that goes one of several ways, by share: the same contact always the same."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from core.journeys.runs.batch import RunBatch, StepOutcome, go_on

PARTS = 1_000_000


async def run(batch: RunBatch) -> list[StepOutcome]:
    """By the contact's share. It stays what it was over re-entry, versions, restarts and machines."""
    config = batch.step.config
    lineage, step = batch.program.lineage_id, batch.step.id
    ways = [
        go_on(f"ramos.{place}", control=branch.get("controle", False))
        for place, branch in enumerate(config["ramos"])
    ]
    bounds = _bounds(config["ramos"])
    seed = config.get("semente", "")
    return [
        ways[_branch(bounds, share_of(lineage, step, run.contact_id, seed))] for run in batch.runs
    ]


def share_of(lineage: str, step: str, contact: str, seed: str = "") -> int:
    """Where a contact lies among PARTS, for one step of a journey."""
    drawn = sha256(f"{lineage}\n{step}\n{contact}\n{seed}".encode()).digest()
    return int.from_bytes(drawn[:4], "big") % PARTS


def _bounds(branches: Sequence[Mapping[str, Any]]) -> list[int]:
    """Where each branch ends; the last one takes what rounding leaves."""
    ends, sum_ = [], 0.0
    for branch in branches:
        sum_ += branch["percentual"]
        ends.append(round(sum_ * PARTS / 100))
    return [*ends[:-1], PARTS]


def _branch(bounds: Sequence[int], share: int) -> int:
    return next(place for place, bound in enumerate(bounds) if share < bound)
