"""What stands in timelines, written as rows at a time: for tests that do not care how it came
about.
"""

import itertools
from datetime import datetime
from decimal import Decimal
from typing import Any

from core import contacts
from core.cards.models import CardContact
from core.contacts.models import ContactConsent
from core.customer_events import CustomerEvent
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id, random_base62
from core.foundation.security.caller import Caller
from core.push.models import PushDelivery, PushDevice, PushDispatch
from core.push.register_device import token_hash
from core.short_links import ShortLink
from tests.factories.cards import Deals
from tests.factories.stored_cards import a_stored_card
from tests.factories.stored_messages import stored_message
from tests.support.sql_tables import put_row

_numbers = itertools.count(1)


async def stored_push(caller: Caller, contact_id: str, at: datetime) -> str:
    """A notification that a device of the contact got, of a dispatch of that time; the id of its
    entry.
    """
    owner = owned_by(caller)
    device = await PushDevice.create(
        **owner,
        id=new_id("dev"),
        app_id="loja",
        token=(token := new_id("token")),
        token_hash=token_hash(token),
        platform="ios",
        contact_id=contact_id,
        opted_in=True,
        created_at=at,
        updated_at=at,
    )
    dispatch = await PushDispatch.create(
        **owner,
        id=new_id("psh"),
        origin="api",
        status="sent",
        title="Oi",
        body="Tudo bem?",
        platforms=["ios"],
        rate_kind="simple",
        unit_coins=0,
        reach=1,
        open_count=0,
        created_at=at,
        updated_at=at,
    )
    await put_row(
        PushDelivery,
        **owner,
        dispatch_id=dispatch.id,
        device_id=device.id,
        platform="ios",
        status="delivered",
        settled_at=at,
    )
    return f"{dispatch.id}:{device.id}"


async def stored_click(caller: Caller, contact_id: str, at: datetime, **fields: Any) -> str:
    """A link that a person followed first at that time, in a message of long before; its code."""
    message_id = await stored_message(caller, at.replace(year=2020), contact_id=contact_id)
    link = await put_row(
        ShortLink,
        **{
            "code": random_base62(10),
            **owned_by(caller),
            "message_id": message_id,
            "channel": "sms",
            "position": 0,
            "url": "https://shop.example.com/a?b=1",
            "clicks": 1,
            "first_clicked_at": at,
            "last_clicked_at": at,
            "created_at": at.replace(year=2020),
            **fields,
        },
    )
    return link.code


async def stored_event(caller: Caller, contact_id: str, at: datetime, **fields: Any) -> str:
    """A purchase; its id."""
    event = await CustomerEvent.create(
        **{
            "id": new_id("cev"),
            **owned_by(caller),
            "name": "purchase",
            "event_id": f"order-{next(_numbers)}",
            "contact_id": contact_id,
            "occurred_at": at,
            "value": Decimal("99.90"),
            "currency": "BRL",
            "properties": {"items": 2},
            "created_at": at,
            **fields,
        }
    )
    return event.id


async def stored_consent(caller: Caller, contact_id: str, at: datetime, **fields: Any) -> str:
    """A consent to all channels; its id."""
    consent = await ContactConsent.create(
        **{
            **owned_by(caller),
            "contact_id": contact_id,
            "identity": contacts.identity_of_phone(caller.organization_id, "+5511970000000"),
            "channel": contacts.ALL_CHANNELS,
            "status": "granted",
            "source": "form",
            "at": at,
            "date_informed": False,
            "created_at": at,
            **fields,
        }
    )
    return str(consent.id)


async def stored_deal(deals: Deals, at: datetime, stage: str = "Novo", **fields: Any) -> str:
    """A card that came into a stage; its id. With `contact_id` of the principal person."""
    record = next(one for one in deals.pipeline["etapas"] if one["nome"] == stage)
    card = await a_stored_card(deals.caller, {"pipelineId": deals.id, **record}, at=at, **fields)
    return card.id


async def put_on_card(caller: Caller, card_id: str, contact_id: str) -> None:
    """A person on a card besides the principal one."""
    await CardContact.create(**owned_by(caller), card_id=card_id, contact_id=contact_id, position=1)
