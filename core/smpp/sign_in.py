"""Who binds: the account behind a system_id and a password, and what holds for its messages now."""

from collections.abc import Collection
from dataclasses import dataclass

from core import audit, organizations
from core.cells import HOME, Cell, KeyKind, cell_of_key, current, enter_cell, reads_keys
from core.cells import hash_of as hash_of_name
from core.foundation.clock import real_now
from core.foundation.security.caller import Caller, Scope, system_caller
from core.organizations import OtherCredential
from core.smpp.errors import BindRefused
from core.smpp.models import SmppAccount
from core.smpp.passwords import hash_of

SCOPES = frozenset({Scope.SMS_SEND, Scope.SMS_READ, Scope.PII_FULL})
"""What an account may do: send, and be told what became of it. Its client knows whom it writes to."""


@dataclass(frozen=True, slots=True)
class SmppClient:
    """An account at work, and the caller that it stands for."""

    account: SmppAccount
    caller: Caller
    cell: Cell

    def may_bind_from(self, address: str | None, certificate: str | None) -> bool:
        """Whether the account may be used from there, by who shows this certificate."""
        return self.account.objection_to(address, certificate) is None


async def sign_in(
    system_id: str, password: str, *, address: str | None, certificate: str | None = None
) -> SmppClient:
    """The client that binds from this address; the rest of the context works with its cell.
    `certificate`: the SHA-256 fingerprint of what it has shown by TLS.

    Raises BindRefused; five in a row from one place with one system_id lock these for a quarter of
    an hour, which the audit trail of the account tells.
    """
    attempt = organizations.attempt_of(f"smpp {system_id}", address)
    try:
        is_last = await organizations.count_attempt(attempt, at=real_now())
    except organizations.LogInLocked:
        raise BindRefused("locked") from None
    enter_cell(await cell_of_key(KeyKind.SMPP, hash_of_name(KeyKind.SMPP, system_id)) or HOME)
    account = await SmppAccount.get_or_none(system_id=system_id)
    if account is None:
        raise BindRefused("system_id")
    objection: str | None = "password"
    if account.is_opened_by(hash_of(system_id, password), at=real_now()):
        objection = account.objection_to(address, certificate)
    found = {} if objection else await clients_of([account.id])
    if account.id in found:
        await organizations.forgive(attempt)
        return found[account.id]
    reason = objection or "revoked"
    if is_last:
        await _note_lock(account, reason)
    raise BindRefused(reason)


async def _note_lock(account: SmppAccount, reason: str) -> None:
    """A place is locked out of an account: who looks after it learns why its client does not get
    in.
    """
    there = system_caller(account.organization_id, account.env)
    facts = {"reason": reason}
    await audit.write_entry(there, "smpp_account.locked", account.id, facts, at=real_now())


async def clients_of(ids: Collection[str]) -> dict[str, SmppClient]:
    """Those of these accounts of the current cell that are at work, as they are now: neither
    revoked, nor of an organization that is suspended.
    """
    accounts = await SmppAccount.filter(id__in=list(ids), revoked_at=None)
    callers = await organizations.callers_of(
        [
            OtherCredential(account.id, account.organization_id, account.env, SCOPES)
            for account in accounts
        ]
    )
    return {
        account.id: SmppClient(account, callers[account.id], current())
        for account in accounts
        if account.id in callers
    }


async def _hashes_of_names(organization_id: str) -> list[bytes]:
    accounts = await SmppAccount.filter(organization_id=organization_id)
    return [hash_of_name(KeyKind.SMPP, account.system_id) for account in accounts]


reads_keys(KeyKind.SMPP, _hashes_of_names)
