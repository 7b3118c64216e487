"""`svc smpp-trace`: what the clients of an account and the service say to each other, PDU by PDU."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from cli.output import say, show
from cli.session import database


async def smpp_trace(
    account: Annotated[str, typer.Argument(help="Account id (smp_…).")],
    *,
    minutes: Annotated[int, typer.Option(min=1, max=60, help="For how long.")] = 10,
) -> None:
    """Show each PDU of the binds of an account, in whichever process they are: without texts, passwords
    and whole phones. It ends by itself, or by Ctrl-C.
    """
    from core import audit, smpp
    from core.foundation.clock import real_now
    from core.foundation.redis_address import open_redis
    from core.foundation.settings import current
    from smpp_api.trace import traced

    async with database():
        owner = await smpp.owner_of_account(account)
        facts = {"minutes": minutes}
        await audit.write_entry(owner, "smpp_account.traced", account, facts, at=real_now())
    redis = open_redis(current().redis_url, seconds=5)
    say(f"tracing {account} for {minutes} minutes, from two seconds on")
    try:
        await traced(redis, account, seconds=60 * minutes, show=_show)
    finally:
        await redis.aclose()


def _show(line: Mapping[str, Any]) -> None:
    beginning = ("at", "direction", "command", "sequence", "status", "bind")
    words = [str(line[name]) for name in beginning if name in line]
    rest = [f"{name}={value}" for name, value in line.items() if name not in beginning]
    show(line, text=" ".join(words + rest))
