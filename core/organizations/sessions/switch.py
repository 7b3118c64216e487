"""Going on in the other environment, without logging in anew."""

from dataclasses import replace

from core import audit
from core.cells import KeyKind, note_key
from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Env
from core.foundation.security.secrets import keyed_hash, new_session_token
from core.foundation.settings import current
from core.organizations.authenticate import evict_credential
from core.organizations.errors import RevokedCredential
from core.organizations.models import Session
from core.organizations.session_lifetime import end_of
from core.organizations.sessions.errors import NotASession


async def switch_environment(caller: Caller, env: Env) -> str:
    """End the session that calls, and open one in `env` for the same person: answers its token,
    which is shown this once. It counts from the same log-in, and so lives no longer.

    Raises NotASession, RevokedCredential where the session has ended meanwhile.
    """
    if caller.kind != "session":
        raise NotASession
    at, token = real_now(), new_session_token()
    async with transaction():
        own = Session.filter(organization_id=caller.organization_id, env=caller.env)
        before = existing(
            await own.select_for_update().get_or_none(
                id=caller.credential_id, ended_at__isnull=True, expires_at__gt=at
            ),
            RevokedCredential,
        )
        before.ended_at = at
        await before.save(update_fields=["ended_at"])
        digest = keyed_hash(current().hash_key.encode(), token)
        await note_key(KeyKind.SESSION, digest, before.organization_id)
        session = await Session.create(
            id=new_id("ses"),
            organization_id=before.organization_id,
            env=env,
            account_id=before.account_id,
            token_hash=digest,
            created_at=before.created_at,
            last_used_at=at,
            expires_at=end_of(before.created_at, used_at=at),
        )
        await audit.write_entry(caller, "session.ended", before.id, at=at)
        there = replace(caller, env=env, credential_id=session.id)
        await audit.write_entry(there, "session.opened", session.id, {"after": before.id}, at=at)
    evict_credential(before.token_hash)
    return token
