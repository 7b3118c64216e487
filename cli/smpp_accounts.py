"""`svc smpp-account`: what clients of SMPP bind with."""

from functools import partial
from typing import Annotated, Literal

import typer

from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database, every_item
from cli.smpp_trial import try_account

smpp_account = typer.Typer(help="Accounts of SMPP.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(help="Account id (smp_…).")]
Receipts = Annotated[
    Literal["as_asked", "always", "never"],
    typer.Option(help="Of which messages its clients get receipts."),
]
ReceiptIds = Annotated[
    Literal["all", "final_part"],
    typer.Option(help="Of a text in parts: receipts of each part, or of the last one alone."),
]
ReceiptZone = Annotated[str, typer.Option(help="The time zone of the times in receipts.")]
DedupeSeconds = Annotated[
    int,
    typer.Option(
        min=0,
        max=120,
        help="For how long the same submit again is the first message; 0: never.",
    ),
]
LongReplies = Annotated[
    Literal["parts", "payload"],
    typer.Option(help="How replies come that are longer than a message."),
]
Certificates = Annotated[
    list[str] | None,
    typer.Option(
        help="SHA-256 fingerprint of a TLS certificate, of which its clients show one. Repeat it."
    ),
]


async def create_account(
    system_id: Annotated[str, typer.Argument(help="What clients name themselves by.")],
    *,
    org: Org,
    env: Environment,
    ip: Annotated[
        list[str] | None,
        typer.Option(
            help="Address or network that it may be used from; live needs one. Repeat it."
        ),
    ] = None,
    route: Annotated[
        Literal["premium", "otp", "la_dedicada"],
        typer.Option(help="What messages without a service_type leave by."),
    ] = "premium",
    max_binds: Annotated[int, typer.Option(min=1, max=50, help="Binds at once.")] = 4,
    window: Annotated[
        int, typer.Option(min=1, max=1000, help="Submits of a bind that are worked on at once.")
    ] = 10,
    throttle: Annotated[
        Literal["refuse", "pace"],
        typer.Option(help="Above the ceiling: ESME_RTHROTTLED at once, or wait for it."),
    ] = "refuse",
    charset: Annotated[
        Literal["gsm", "latin1", "ascii"], typer.Option(help="What data_coding 0 means.")
    ] = "gsm",
    dedupe_seconds: DedupeSeconds = 0,
    receipts: Receipts = "as_asked",
    receipt_ids: ReceiptIds = "all",
    receipt_zone: ReceiptZone = "UTC",
    long_replies: LongReplies = "parts",
    certificate: Certificates = None,
) -> Record:
    """Open an account. Its password is shown here once and stored hashed."""
    from core import smpp
    from core.foundation.security.caller import system_caller

    new = given(
        smpp.NewSmppAccount,
        env=env,
        systemId=system_id,
        route=route,
        ips=ip,
        maxBinds=max_binds,
        window=window,
        throttle=throttle,
        charset=charset,
        dedupeSeconds=dedupe_seconds,
        receipts=receipts,
        receiptIds=receipt_ids,
        receiptZone=receipt_zone,
        longReplies=long_replies,
        certificates=certificate,
    )
    async with database(org):
        return await smpp.create_account(system_caller(org, env), new)


async def list_accounts(*, org: Org) -> Record:
    """The accounts of an organization, newest first, without their passwords."""
    from core import smpp
    from core.foundation.security.caller import system_caller

    admin = system_caller(org, "live")
    async with database(org):
        return await every_item(partial(smpp.list_accounts, admin), smpp.SmppAccountFilter)


async def rotate_password(
    id: Id,
    *,
    overlap_hours: Annotated[
        int, typer.Option(min=0, max=168, help="For how many hours the old one still opens.")
    ] = 24,
) -> Record:
    """Draw another password, shown here once. Binds that are open stay."""
    from core import smpp

    async with database(row=("smpp_accounts", id)):
        owner = await smpp.owner_of_account(id)
        how = smpp.SmppPasswordRotation(overlap_hours=overlap_hours)
        return await smpp.rotate_password(owner, id, how)


async def revoke_account(id: Id) -> Record:
    """End an account now; its binds are unbound within two seconds."""
    from core import smpp

    async with database(row=("smpp_accounts", id)):
        return await smpp.revoke_account(await smpp.owner_of_account(id), id)


async def list_binds(*, org: Org) -> Record:
    """The newest 200 binds of an organization that are open now, in any process."""
    from core import smpp
    from core.foundation.security.caller import system_caller

    async with database(org):
        page = await smpp.list_binds(system_caller(org, "live"), smpp.SmppBindFilter(limit=200))
    return {"items": page["items"]}


command(smpp_account, "create")(create_account)
command(smpp_account, "list")(list_accounts)
command(smpp_account, "rotate")(rotate_password)
command(smpp_account, "revoke")(revoke_account)
command(smpp_account, "binds")(list_binds)
command(smpp_account, "test")(try_account)
