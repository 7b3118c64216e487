"""Inviting people into an organization."""

from core import organizations
from core.email.system_emails import send_system_email
from core.foundation.clock import real_now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.organizations import InvitationRecord, NewInvitation
from core.people.email_texts import invitation_email, link_of


async def invite(caller: Caller, new: NewInvitation) -> InvitationRecord:
    """Invite somebody: an e-mail with a link of 72 hours, or, where none would arrive, the link in
    the answer. Who is invited already gets a new link, and the older one ends.

    Raises EmailTaken and RoleAboveOwn.
    """
    caller.require(Scope.ACCOUNTS_MANAGE)
    at = real_now()
    async with transaction():
        account, token, ends = await organizations.hold_invitation(caller, new, at=at)
        email = invitation_email(
            new.language,
            to=new.email,
            name=new.name,
            organization=(await organizations.organization_of(caller))["nome"],
            token=token,
        )
        written = await send_system_email(caller, email)
        await organizations.tell_invitation(caller, account, letter=written, at=at)
    invitation: InvitationRecord = {
        "account": organizations.account_record(account, whole=caller.sees_personal_data),
        "letter": written,
        "expiresAt": wire_time(ends),
    }
    if not written:
        invitation["link"] = link_of("accept", token)
    return invitation
