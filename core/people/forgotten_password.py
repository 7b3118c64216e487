"""Asking for a new password by e-mail."""

import asyncio
import time

from core.cells import cell_of, use_cell
from core.email.system_emails import send_system_email
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import system_caller
from core.organizations import (
    Forgetful,
    ForgottenPassword,
    count_reset_request,
    issue_reset,
    who_forgot,
)
from core.people.email_texts import reset_email

ANSWER_SECONDS = 0.5
"""An answer takes so long, whether or not e-mails were written: else its time would tell whether an
address is known.
"""


async def ask_reset(
    forgotten: ForgottenPassword, *, address: str | None, request_id: str | None
) -> None:
    """Send a link to everybody who logs in with this address: it lives an hour and works once.

    Nothing tells whether there was anybody. Raises LogInLocked after five in a row for one address.
    """
    started = time.monotonic()
    await count_reset_request(forgotten.email, address, at=real_now())
    for person in await who_forgot(forgotten.email, forgotten.organization_id):
        with use_cell(await cell_of(person.account.organization_id)):
            await _write_to(person, forgotten, request_id)
    await asyncio.sleep(started + ANSWER_SECONDS - time.monotonic())


async def _write_to(
    person: Forgetful, forgotten: ForgottenPassword, request_id: str | None
) -> None:
    account = person.account
    async with transaction():
        token = await issue_reset(account, request_id=request_id, at=real_now())
        email = reset_email(
            forgotten.language,
            to=forgotten.email,
            name=account.name,
            organization=person.organization_name,
            token=token,
        )
        there = system_caller(account.organization_id, "live", request_id=request_id)
        await send_system_email(there, email)
