"""Any message by its id, for those who run the service."""

from dataclasses import replace
from typing import Any

from core.channels import PACKAGES
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope, system_caller
from core.messaging import Direction
from core.messaging.channel_package import ChannelPackage, Show

PACKAGE_OF: dict[str, ChannelPackage] = {
    channel.value: package for package in PACKAGES for channel in package.channels
}


async def show_message(id: str, *, unmasked: bool = False) -> dict[str, object]:
    """The record that its owner reads, and whose it is; personal data is masked. Raises NotFound.

    A dispatch of push notifications is found by its id too.
    """
    statement = next((one for kind, one in FIND.items() if is_id(kind, id)), None)
    row = existing(await db.fetchrow(statement, id) if statement else None)
    owner = {"organizationId": row["organization_id"], "env": row["env"], "channel": row["channel"]}
    operator = operator_of(row["organization_id"], row["env"], unmasked=unmasked)
    return {**owner, **await _reader(row)(operator, id)}


def _reader(row: db.Row) -> Show:
    package = PACKAGE_OF[row["channel"]]
    is_reply = row["direction"] == Direction.INBOUND
    return package.show_reply if is_reply and package.show_reply else package.show


def operator_of(organization_id: str, env: Any, *, unmasked: bool = False) -> Caller:
    """Who looks at an organization's records in the shell; without personal data unless it is asked
    for.
    """
    whole = system_caller(organization_id, env)
    return whole if unmasked else replace(whole, scopes=whole.scopes - {Scope.PII_FULL})


FIND = {
    "msg": "SELECT organization_id, env, channel, direction FROM messages WHERE id = $1",
    **{
        kind: f"SELECT *, '{package.channels[0]}' AS channel, 'outbound' AS direction FROM ({whose}) AS w"
        for package in PACKAGES
        for kind, whose in package.whose.items()
    },
}
"""By the kind of id."""
