"""Apps: who devices register for, and the credentials of their push providers."""

from datetime import datetime
from typing import Any

import orjson
from tortoise.exceptions import IntegrityError

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.keyring import keyring
from core.providers.push import PushCredentials, new_vapid_keys
from core.push.app_inputs import AppChanges, NewApp
from core.push.errors import AppIdTaken, NoSuchApp
from core.push.inputs import MAX_APP_ID_LENGTH
from core.push.models import PushApp
from core.push.record import APP, AppList, AppRecord


async def create_app(caller: Caller, new: NewApp) -> AppRecord:
    """Register an app; keys for browsers are made for it unless it brings its own. Raises
    AppIdTaken.
    """
    caller.require(Scope.PUSH_SETTINGS)
    at = now()
    credentials = new.credentials
    if credentials.vapid is None and new.web is not None:
        credentials = credentials.model_copy(update={"vapid": new_vapid_keys(new.web.contact)})
    try:
        async with transaction():
            stored = await PushApp.create(
                **owned_by(caller),
                app_id=new.app_id,
                name=new.name,
                created_at=at,
                **_columns(caller, new.app_id, credentials, at=at),
            )
            await audit.write_entry(caller, "push_app.created", None, _facts(stored), at=at)
    except IntegrityError:
        raise AppIdTaken from None
    return app_record(stored)


async def change_app(caller: Caller, app_id: str, changes: AppChanges) -> AppRecord:
    """Change what was sent; null takes the credentials of a provider away. Raises NoSuchApp."""
    caller.require(Scope.PUSH_SETTINGS)
    at = now()
    async with transaction():
        stored = await _locked(caller, app_id)
        if "name" in changes.model_fields_set:
            stored.name = changes.name
        credentials = changes.laid_over(credentials_of(stored) or PushCredentials())
        stored.update_from_dict(_columns(caller, app_id, credentials, at=at))
        await stored.save()
        await audit.write_entry(caller, "push_app.changed", None, _facts(stored), at=at)
    return app_record(stored)


async def _locked(caller: Caller, app_id: str) -> PushApp:
    found = None
    if len(app_id) <= MAX_APP_ID_LENGTH:  # a longer one is refused by the model, as a fault of ours
        found = await PushApp.visible_to(caller).select_for_update().get_or_none(app_id=app_id)
    if found is None:
        raise NoSuchApp
    return found


async def list_apps(caller: Caller) -> WrittenPage[AppList]:
    """All apps, by their ids."""
    caller.require(Scope.PUSH_SETTINGS)
    owner = caller.organization_id
    row = await db.fetch_one_planned(ALL, owner, caller.env, owner=owner)
    return WrittenPage([] if row["written"] is None else [row["written"] + b"}"], None)


ALL = f"""
SELECT convert_to(string_agg({APP.open_json.text}, '}},' ORDER BY app_id), 'UTF8') AS written
FROM push_apps WHERE organization_id = $1 AND env = $2
"""


async def check_app(caller: Caller, app_id: str, *, at: datetime) -> None:
    """The sandbox makes an unknown app on first use; live it is refused. Raises NoSuchApp."""
    scope = (caller.organization_id, caller.env, app_id)
    if await db.fetchval(
        "SELECT true FROM push_apps WHERE organization_id = $1 AND env = $2 AND app_id = $3", *scope
    ):
        return
    if caller.env == "live":
        raise NoSuchApp
    await db.execute(
        "INSERT INTO push_apps (organization_id, env, app_id, created_at, updated_at) VALUES "
        "($1, $2, $3, $4, $4) "
        "ON CONFLICT DO NOTHING",
        *scope,
        at,
    )


def credentials_of(app: PushApp) -> PushCredentials | None:
    """The credentials in clear; None when the app has none."""
    if app.credentials is None:
        return None
    plain = keyring().decrypt(
        app.credentials, context=context_of(app.organization_id, app.env, app.app_id)
    )
    return PushCredentials.model_validate_json(plain)


def context_of(organization_id: str, env: str, app_id: str) -> str:
    """Where the encrypted credentials live."""
    return f"push_apps.credentials:{organization_id}:{env}:{app_id}"


def _columns(
    caller: Caller, app_id: str, credentials: PushCredentials, *, at: datetime
) -> dict[str, Any]:
    plain = credentials.model_dump(mode="json", exclude_none=True)
    context = context_of(caller.organization_id, caller.env, app_id)
    return {
        "providers": sorted(plain),
        "credentials": keyring().encrypt(orjson.dumps(plain).decode(), context=context)
        if plain
        else None,
        "vapid_public_key": credentials.vapid.public_key if credentials.vapid else None,
        "updated_at": at,
    }


def _facts(app: PushApp) -> dict[str, Any]:
    return {"appId": app.app_id, "providers": app.providers}


def app_record(app: PushApp) -> AppRecord:
    """The record; credentials never leave."""
    return APP.make(vars(app), unmasked=True)
