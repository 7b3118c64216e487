"""Contacts for tests."""

import itertools
from typing import Any

import orjson

from core import contacts
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body

_numbers = itertools.count(1)


def a_phone() -> str:
    """A mobile of São Paulo that no other test has."""
    return f"+5511970{next(_numbers):06d}"


def a_new_contact(**changes: Any) -> contacts.NewContact:
    """The input, with a phone of its own; `changes` are fields of the body by their name there."""
    return read_body(contacts.NewContact, orjson.dumps({"phone": a_phone(), **changes}))


async def a_contact(caller: Caller, **changes: Any) -> Any:
    """Create a contact with a phone of its own, or the one given; answers the record."""
    return await contacts.create_contact(caller, a_new_contact(**changes))


async def read_contact(caller: Caller, id: str) -> dict[str, Any]:
    """The record as answers to writes have it: without the opt-outs that the single read shows
    besides.
    """
    record = await contacts.get_contact(caller, id)
    return {name: value for name, value in record.items() if name != "optOuts"}


async def changed_contact(caller: Caller, id: str, /, **changes: Any) -> Any:
    """Change a contact by fields of the body; answers the record."""
    return await contacts.change_contact(
        caller, id, read_body(contacts.ContactChanges, orjson.dumps(changes))
    )


async def a_denial_of_email(
    caller: Caller, address: str, channel: str = contacts.ALL_CHANNELS
) -> None:
    """Let the owner of an e-mail address opt out, whether or not there is a contact."""
    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"emails": [address], "canal": channel})
    )


async def a_denial(caller: Caller, phone: str, channel: str = contacts.ALL_CHANNELS) -> None:
    """Let the owner of a phone opt out, whether or not there is a contact."""
    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"phones": [phone], "canal": channel})
    )
