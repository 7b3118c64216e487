"""The command `svc seed`: realistic data in bulk."""

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from cli.failures import Failure
from cli.organizations import Environment, Org
from cli.output import Record
from cli.session import database

MAX_CONTACTS = 1_000_000
MAX_MESSAGES = 50_000_000
MAX_COMPANIES = 500_000
MAX_DEALS = 1_000_000

DEMONSTRATION = {"contacts": 1_000, "companies": 60, "messages": 10_000, "deals": 250}
"""What is written when nobody says how much."""


async def seed(
    *,
    org: Org,
    env: Environment,
    contacts: Annotated[
        int, typer.Option(min=0, max=MAX_CONTACTS, help="How many contacts there shall be.")
    ] = 0,
    companies: Annotated[
        int, typer.Option(min=0, max=MAX_COMPANIES, help="How many companies.")
    ] = 0,
    messages: Annotated[
        int, typer.Option(min=0, max=MAX_MESSAGES, help="SMS; conversations get a tenth.")
    ] = 0,
    deals: Annotated[
        int, typer.Option(min=0, max=MAX_DEALS, help="How many deals, on three pipelines.")
    ] = 0,
    seed: Annotated[
        int, typer.Option(min=1, max=9_999, help="Which of all sets: each number is another one.")
    ] = 1,
    days: Annotated[int, typer.Option(min=1, max=730, help="How long messages were sent.")] = 90,
    as_of: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ"],
            metavar="DATE",
            help="When it all ends, in UTC. Left out: where this seed ended before, else the "
            "beginning of today.",
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Write made-up data into the live environment.")
    ] = False,
) -> Record:
    """Fill an organization with realistic data: the same every time, and never twice.

    Lists and segments come with contacts, customer events with messages, pipelines with deals.
    Without any number: a small set of all of it.
    """
    from cli.progress import shown_progress
    from cli.seed.organization import SeedRequest, seed_organization
    from core.foundation.security.caller import system_caller

    counts = {"contacts": contacts, "companies": companies, "messages": messages, "deals": deals}
    if not any(counts.values()):
        counts = DEMONSTRATION
    if env == "live" and not yes:
        _confirm()
    ends = None if as_of is None else as_of.replace(tzinfo=UTC)
    request = SeedRequest(counts, seed, ends, days)
    async with database(lives=org):
        with shown_progress() as tell:
            written = await seed_organization(system_caller(org, env), request, tell=tell)
    return {"organizationId": org, "env": env, **written}


def _confirm() -> None:
    """Live data is looked at by people who believe it, and its volume decides prices: never by
    accident.
    """
    if not sys.stdin.isatty():
        raise Failure(
            "made-up data in the live environment stays there and moves its prices: repeat it "
            "with --yes"
        )
    typer.confirm(
        "Made-up data in the live environment stays there and moves its prices. Go on?",
        abort=True,
        err=True,
    )
