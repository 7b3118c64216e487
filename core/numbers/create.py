"""Use cases: register a number, and connect it to the platform."""

from datetime import datetime

from tortoise.exceptions import IntegrityError

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.ids import new_id, well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.keyring import keyring
from core.numbers.apply_status import PER_DAY, PER_SECOND, save_numbers
from core.numbers.errors import NotOnThePlatform, NumberTaken
from core.numbers.health import apply_health, ask_platform
from core.numbers.inputs import NewNumber, PlatformIds
from core.numbers.lines import note_lines
from core.numbers.models import NameStatus, Number, NumberStatus, Quality, Tier
from core.numbers.record import NumberRecord, number_record
from core.numbers.sender_accounts import context_of
from core.organizations import NoSuchOrganization, Organization
from core.providers import registry
from core.providers.platform import PlatformHealth, UpstreamError

SANDBOX_PROFILE = {
    "about": "Sandbox",
    "address": "Av. Paulista, 1000, São Paulo",
    "email": "sandbox@example.com",
    "website": "https://example.com",
    "vertical": "OTHER",
}
"""What a number of the sandbox shows of its business, as the platform would tell it."""


async def create_number(caller: Caller, new: NewNumber) -> NumberRecord:
    """Register a number; a live one stays pending until the platform confirms it. Answers its
    record.

    Raises NumberTaken, NotOnThePlatform, NoSuchOrganization, and ValidationFailed for ids of a
    sandbox number.
    """
    caller.require(Scope.MESSAGES_SEND)
    if caller.env == "test" and new.platform is not None:
        message = "A sandbox number has no place on the platform"
        raise ValidationFailed(errors=[FieldError("pointer", "/platform", "not_allowed", message)])
    if not await Organization.is_known(caller.organization_id):
        raise NoSuchOrganization
    at = now()
    number = _number(caller, new, at=at)
    health = None if new.platform is None else await _move_to_platform(number, new.platform)
    try:
        async with transaction():
            if new.platform is not None:
                ids = new.platform
                await note_lines(caller, ids.phone_number_id, ids.waba_id, NumberTaken)
            if health is not None:
                apply_health(number, health, at=at)  # a rating that nobody knew has not changed
            await number.save(force_create=True)
            await audit.write_entry(
                caller, "number.created", number.id, {"status": str(number.status)}, at=at
            )
    except IntegrityError:
        raise NumberTaken from None
    return number_record(caller, number)


async def connect_number(caller: Caller, id: str, platform: PlatformIds) -> NumberRecord:
    """Tell where on the platform a live number is, or that it is elsewhere now. Answers its record.

    Raises NotFound, NumberTaken and NotOnThePlatform.
    """
    caller.require(Scope.MESSAGES_SEND)
    stored = Number.visible_to(caller).filter(env="live")
    number = existing(await stored.get_or_none(id=well_formed_id("num", id)))
    health = await _move_to_platform(number, platform)
    at = now()
    try:
        async with transaction():
            await note_lines(caller, platform.phone_number_id, platform.waba_id, NumberTaken)
            number = await stored.select_for_update().get(id=id)
            _set_platform_ids(number, platform)
            events = apply_health(number, health, at=at) if health is not None else []
            await save_numbers([number], events, at=at)
            await audit.write_entry(
                caller, "number.connected", number.id, {"status": str(number.status)}, at=at
            )
    except IntegrityError:
        raise NumberTaken from None
    return number_record(caller, number)


def _number(caller: Caller, new: NewNumber, *, at: datetime) -> Number:
    sandbox = caller.env == "test"
    id = new_id("num")
    tier = Tier.UNLIMITED if sandbox else Tier.TIER_250
    return Number(
        **owned_by(caller),
        id=id,
        # The platform's own ids are digits: these are nobody's.
        phone_number_id=f"{'test' if sandbox else 'pending'}_{id.removeprefix('num_')}",
        waba_id=f"{'test' if sandbox else 'pending'}_{caller.organization_id.removeprefix('org_')}",
        phone=new.phone,
        status=NumberStatus.CONNECTED if sandbox else NumberStatus.PENDING,
        quality_rating=Quality.GREEN if sandbox else Quality.UNKNOWN,
        messaging_tier=tier,
        rate_per_second=PER_SECOND,
        rate_per_day=PER_DAY[tier],
        verified_name=new.name,
        name_status=NameStatus.APPROVED if sandbox and new.name else None,
        profile=SANDBOX_PROFILE if sandbox else None,
        created_at=at,
        updated_at=at,
    )


def _set_platform_ids(number: Number, platform: PlatformIds) -> None:
    number.update_from_dict(
        {
            "phone_number_id": platform.phone_number_id,
            "waba_id": platform.waba_id,
            "byo": platform.token is not None,
            "credentials": platform.token
            and keyring().encrypt(platform.token, context=context_of(number)),
        }
    )


async def _move_to_platform(number: Number, platform: PlatformIds) -> PlatformHealth | None:
    """Put the number there and ask the platform how it fares; None when none is configured here."""
    _set_platform_ids(number, platform)
    if registry.for_conversations() is None:
        return None
    try:
        return await ask_platform(number)
    except UpstreamError as failure:
        raise NotOnThePlatform(meta={"upstreamCode": failure.code}) from failure
