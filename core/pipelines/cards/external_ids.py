"""The caller's own ids of cards: the database decides who was first."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from tortoise.exceptions import IntegrityError

from core.pipelines.cards.errors import CardExternalIdTaken


@contextmanager
def one_card_each() -> Iterator[None]:
    """An id that another card has is refused. Raises CardExternalIdTaken."""
    try:
        yield
    except IntegrityError as clash:
        cause = clash.__cause__
        if isinstance(cause, asyncpg.UniqueViolationError) and cause.constraint_name == "cards_external_id_key":
            raise CardExternalIdTaken from None
        raise
