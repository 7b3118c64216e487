"""A transaction around what tests do, which is rolled back."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tortoise.transactions import in_transaction

from core.organizations import clear_credential_cache


class Undo(Exception):
    """Ends every test: the transaction around it is rolled back."""


@asynccontextmanager
async def rolled_back() -> AsyncIterator[None]:
    """What happens inside is undone. Around several tests: each of them has a transaction of its own inside."""
    clear_credential_cache()
    try:
        async with in_transaction("default"):
            yield
            raise Undo
    except Undo:
        pass
