"""Push dispatches, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.push import REACHES_NOBODY, Platform
from core.push.conditions import narrow_dispatches
from core.read_models.query_compiler import Arguments, Entity, Field, column, time


def _sum(name: str) -> str:
    return " + ".join(f"{{t}}.{name}_{platform}" for platform in Platform)


def _of(platform: Platform) -> str:
    counts = ", ".join(
        f"'{name}', {{t}}.{name}_{platform}" for name in ("delivered", "opened", "failed")
    )
    return f"'{platform}', json_build_object({counts})"


_OF_NONE = (
    "'desconhecida', json_build_object('delivered', 0, 'opened', {t}.opened_by_nobody, 'failed', 0)"
)

# The same figures as `core.push.record` makes of a row.
FIELDS = {
    "id": column("id"),
    "env": column("env"),
    "origin": column("origin"),
    "status": column("status"),
    "title": column("title"),
    "body": column("body"),
    "deepLink": column("deep_link"),
    "imageUrl": column("image_url"),
    "actions": column("actions"),
    "platforms": column("platforms"),
    "segment": column("segment"),
    "tokenCount": column("token_count"),
    "rateKind": column("rate_kind"),
    "scheduledAt": time("scheduled_at"),
    "quietDeferredTo": time("quiet_deferred_to"),
    "billing": Field(
        "json_build_object('unitCoins', {t}.unit_coins, 'capturedCoins', {t}.captured_coins, "
        "'reservedCoins', "
        "{t}.reach * {t}.unit_coins - {t}.captured_coins - {t}.released_coins)"
    ),
    "metrics": Field(
        f"json_build_object('reach', {{t}}.reach, 'delivered', {_sum('delivered')}, 'failed', "
        f"{_sum('failed')}, "
        f"'opened', {_sum('opened')} + {{t}}.opened_by_nobody, 'optedOut', {{t}}.opted_out)"
    ),
    "breakdown": Field(f"json_build_object({', '.join(map(_of, Platform))}, {_OF_NONE})"),
    "warnings": Field(f"CASE WHEN {{t}}.reach = 0 THEN json_build_array('{REACHES_NOBODY}') END"),
    "createdAt": time("created_at"),
    "startedAt": time("started_at"),
    "completedAt": time("completed_at"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    created = filter.get("createdAt") or {}
    narrow_dispatches(
        where,
        status=filter.get("status"),
        origin=filter.get("origin"),
        since=created.get("from"),
        until=created.get("to"),
        alias="ps",
    )
    return ()


PUSH = Entity(
    name="PushMessage",
    table="push_dispatches",
    alias="ps",
    scope=Scope.PUSH_READ,
    prefix="psh",
    fields=FIELDS,
    narrow=_narrow,
)
