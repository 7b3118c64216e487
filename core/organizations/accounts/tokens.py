"""Links that prove who somebody is: of an invitation, and of a password that was forgotten."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from core.cells import HOME, KeyKind, cell_of_key, note_key, reads_keys, use_cell
from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.errors import ValidationFailed
from core.foundation.ids import random_base62
from core.foundation.security.caller import Caller
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.organizations.models import (
    Account,
    AccountToken,
    Organization,
    OrganizationStatus,
    TokenKind,
)
from core.organizations.sessions.locks import attempt_of, count_attempt, forgive

LIFE = {TokenKind.INVITATION: timedelta(hours=72), TokenKind.RESET: timedelta(hours=1)}
TOKEN_LENGTH = 43
"""Characters of base62: 256 bits."""


class InvalidLink(ValidationFailed):
    """It never tells which: unknown, used, replaced by a newer one, or too old."""

    default_detail = "The link is not valid any more, or was used already; ask for a new one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "LINK_INVALIDO"})


async def issue_token(account: Account, kind: TokenKind, *, at: datetime) -> tuple[str, datetime]:
    """The text of a new link's token and when it ends, in the transaction around; an older one of
    the kind ends now.
    """
    await AccountToken.filter(
        account_id=account.id, organization_id=account.organization_id, kind=kind
    ).delete()
    text, ends = random_base62(TOKEN_LENGTH), at + LIFE[kind]
    await note_key(KeyKind.LINK, _hash_of(text), account.organization_id)
    await AccountToken.create(
        organization_id=account.organization_id,
        account_id=account.id,
        kind=kind,
        token_hash=_hash_of(text),
        created_at=at,
        expires_at=ends,
    )
    return text, ends


@asynccontextmanager
async def behind_link(text: str, address: str | None) -> AsyncIterator[None]:
    """A transaction in the cell of the organization whose link this is. Raises LogInLocked where too
    much came from this place; what goes well inside does not count.
    """
    attempt = attempt_of(f"link {text}", address)
    await count_attempt(attempt, at=real_now())
    with use_cell(await cell_of_key(KeyKind.LINK, _hash_of(text)) or HOME):
        async with transaction():
            yield
            await forgive(attempt)


def as_person(account: Account, request_id: str | None) -> Caller:
    """Who acts by a link is the person, told in the live environment as all that concerns people."""
    return Caller(
        account.organization_id, "live", frozenset(), None, account.id, request_id, "session"
    )


async def take_token(text: str, kind: TokenKind, *, at: datetime) -> Account:
    """The account behind a token, its row held, in the transaction around. The token is used with
    it. Raises InvalidLink.
    """
    token = existing(
        await AccountToken.filter(token_hash=_hash_of(text), kind=kind, expires_at__gt=at)
        .select_for_update()
        .first(),
        InvalidLink,
    )
    active = await Organization.filter(
        id=token.organization_id, status=OrganizationStatus.ACTIVE
    ).exists()
    if not active:
        raise InvalidLink
    await token.delete()
    return await Account.select_for_update().get(
        id=token.account_id, organization_id=token.organization_id
    )


async def end_tokens(account: Account) -> None:
    """Every link of the account ends."""
    await AccountToken.filter(
        account_id=account.id, organization_id=account.organization_id
    ).delete()


def _hash_of(text: str) -> bytes:
    return keyed_hash(current().hash_key.encode(), f"account token {text}")


async def _hashes_of_tokens(organization_id: str) -> list[bytes]:
    tokens = await AccountToken.filter(organization_id=organization_id)
    return [token.token_hash for token in tokens]


reads_keys(KeyKind.LINK, _hashes_of_tokens)
