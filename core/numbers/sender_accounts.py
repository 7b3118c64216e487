"""Sender accounts: from our ids or the platform's to a WhatsApp number or Instagram account."""

from collections.abc import Collection

import structlog

from core.foundation.security.caller import Caller
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.numbers.errors import NumberUnavailable
from core.numbers.models import InstagramAccount, Number, NumberStatus
from core.providers.platform import SenderAccount, UpstreamError

log = structlog.get_logger()

SENDING = (NumberStatus.CONNECTED, NumberStatus.FLAGGED)
"""A number that the platform flagged still sends."""


async def number_for_sending(caller: Caller, id: str) -> Number:
    """The caller's number, from which something can be sent now. Raises NotFound and
    NumberUnavailable.
    """
    number = await Number.own(caller, "num", id)
    if number.status not in SENDING:
        raise NumberUnavailable
    return number


async def instagram_for_sending(caller: Caller, id: str) -> InstagramAccount:
    """The caller's Instagram account. Raises NotFound."""
    return await InstagramAccount.own(caller, "iga", id)


def sender_account_of(sender: Number | InstagramAccount) -> SenderAccount:
    """The sender as the platform is told of it, its access token in clear. Raises CannotDecrypt."""
    token = None
    if sender.credentials is not None:
        token = keyring().decrypt(sender.credentials, context=context_of(sender))
    if isinstance(sender, Number):
        return SenderAccount.number(sender.id, sender.phone_number_id, sender.waba_id, token)
    return SenderAccount.instagram(sender.id, sender.instagram_id, token)


def usable_sender_account(sender: Number | InstagramAccount) -> SenderAccount:
    """The same, for who is about to ask the platform something. Raises UpstreamError where no key
    opens the token.
    """
    try:
        return sender_account_of(sender)
    except CannotDecrypt:
        log.warning("access_token_unreadable", sender_id=sender.id)
        raise UpstreamError(
            "TOKEN_ILEGIVEL", "The stored access token cannot be decrypted; store it again"
        ) from None


async def senders_by_platform_id(ids: Collection[str]) -> dict[str, Number | InstagramAccount]:
    """The numbers and accounts of these ids of the platform's, of any organization; unknown ids are
    left out.
    """
    found: dict[str, Number | InstagramAccount] = {
        account.instagram_id: account
        for account in await InstagramAccount.filter(instagram_id__in=list(ids))
    }
    found |= {
        number.phone_number_id: number
        for number in await Number.filter(phone_number_id__in=list(ids))
    }
    return found


async def numbers_by_account(waba_ids: Collection[str]) -> dict[str, list[Number]]:
    """The numbers under each of these accounts of the platform, the oldest first; unknown ids are
    left out.
    """
    found: dict[str, list[Number]] = {}
    for number in await Number.filter(waba_id__in=list(waba_ids)).order_by("created_at", "id"):
        found.setdefault(number.waba_id, []).append(number)
    return found


def context_of(sender: Number | InstagramAccount) -> str:
    """Where the encrypted access token lives."""
    return f"{'numbers' if isinstance(sender, Number) else 'instagram_accounts'}.credentials:{sender.id}"
