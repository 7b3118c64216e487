"""A person with a trace in every domain."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from core import contacts, customer_events, lists, sms
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send

PHONE = "+5511987654321"
NAME = "Zulmira Recognizável"
EMAIL = "zulmira@recognizable.example"
CPF = "52998224725"
TEXT = "my secret answer"
LINK = "https://shop.example.com/u/zulmira-token"

PERSONAL = (
    PHONE[1:],
    PHONE[3:],
    "1187654321",
    NAME,
    EMAIL,
    CPF,
    TEXT,
    LINK,
    "crm-zulmira",
    "203.0.113.77",
)
"""What must not be found after the person was erased."""


@dataclass(frozen=True)
class Person:
    """The contact, who asks, and what refers to it."""

    caller: Caller
    id: str
    list_id: str
    messages: tuple[str, ...]
    event_id: str

    @property
    def session(self) -> Caller:
        """A person of the organization, logged in."""
        return replace(
            self.caller, kind="session", scopes=frozenset(Scope), credential_id="ses_of_the_test"
        )


async def a_person(caller: Caller) -> Person:
    """Created, put on a list, written to, answered, clicked, bought."""
    new = contacts.NewContact.model_validate(
        {
            "phone": PHONE,
            "name": NAME,
            "email": EMAIL,
            "cpf": CPF,
            "birth_date": "1980-02-03",
            "external_id": "crm-zulmira",
            "attributes": {"nick": NAME},
            "opt_in": contacts.OptIn(
                status=contacts.OptInStatus.GRANTED, source="shop", ip="203.0.113.77"
            ),
        }
    )
    created = await contacts.create_contact(caller, new)
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    await lists.add_members(caller, list_id, lists.Members(contact_ids=[created["id"]]))
    linked = await a_send(
        caller, to=PHONE, contactId=created["id"], body=f"See {LINK}", trackLinks=True
    )
    unlinked = await a_send(caller, to="+551187654321", route="otp")
    reply = await sms.reply_in_sandbox(
        caller, sms.SandboxReply(in_reply_to=linked["id"], body=TEXT)
    )
    event = await customer_events.record_event(
        caller,
        customer_events.NewCustomerEvent(
            name="purchase",
            event_id="order-1",
            contact=customer_events.EventContact(contact_id=created["id"]),
        ),
    )
    return Person(
        caller, created["id"], list_id, (linked["id"], unlinked["id"], reply["id"]), event["id"]
    )


@pytest.fixture
async def person(clean_slate: None) -> Person:
    return await a_person(await a_caller())


async def found_in(needles: tuple[str, ...], *, but: tuple[str, ...] = ()) -> dict[str, set[str]]:
    """The tables that hold any of these texts somewhere, and which."""
    tables = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    found: dict[str, set[str]] = {}
    for table in (row["tablename"] for row in tables):
        rows: list[Any] = await db.fetch(f"SELECT row_to_json(t)::text AS whole FROM {table} t")
        held = {needle for needle in needles for row in rows if needle in row["whole"]}
        if held and table not in but:
            found[table] = held
    return found
