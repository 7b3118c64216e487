"""`svc encryption`: what is stored encrypted, and the keys it was encrypted with."""

import typer

from cli.failures import Failure
from cli.output import Record, command
from cli.session import database

encryption = typer.Typer(help="What is stored encrypted.", no_args_is_help=True)


async def renew() -> Record:
    """Encrypt everything again with the first of SVC_ENCRYPTION_KEYS, so that the others can go."""
    from core import operations

    async with database():
        done = await operations.renew_encryption()
    if done.lost:
        raise Failure(
            f"{done.renewed} records renewed, but {done.lost} need a key that is not in "
            f"SVC_ENCRYPTION_KEYS: add it "
            "behind the newest, and repeat"
        )
    return {"renewed": done.renewed}


command(encryption, "renew")(renew)
