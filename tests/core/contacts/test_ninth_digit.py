"""A Brazilian mobile with and without its ninth digit is one phone, unless the organization wants
two.
"""

from dataclasses import replace

import pytest

from core import contacts, lists
from core.contacts import BothFormsRegistered, Contact, ContactDenial
from core.contacts.errors import PhoneAlreadyRegistered
from core.contacts.models import ContactConsent
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.organizations import NoSuchOrganization
from tests.core.contacts.conftest import as_session, strangers
from tests.factories.contacts import a_contact, a_denial
from tests.support.sql_tables import rows_of
from tests.support.told import audited

WITH, WITHOUT = "+5511987654321", "+551187654321"


def telling_apart(caller: Caller) -> Caller:
    """The caller once its organization has switched the setting off."""
    return replace(caller, unifies_ninth_digit=False)


async def setting(caller: Caller) -> bool:
    on: bool = await db.fetchval(
        "SELECT unifies_ninth_digit FROM organizations WHERE id = $1", caller.organization_id
    )
    return on


@pytest.mark.parametrize(("first", "second"), [(WITH, WITHOUT), (WITHOUT, WITH)])
async def test_both_forms_are_one_phone(caller: Caller, first: str, second: str) -> None:
    made = await a_contact(caller, phone=first)

    with pytest.raises(PhoneAlreadyRegistered):
        await a_contact(caller, phone=second)

    assert made["phone"] == first
    assert await Contact.all().count() == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+551133334444", "+5511933334444"),
        ("+5511943211234", "+551143211234"),
        ("+14155552671", "+14155552672"),
    ],
)
async def test_landlines_and_foreign_phones_have_one_form(
    caller: Caller, one: str, other: str
) -> None:
    await a_contact(caller, phone=one)
    await a_contact(caller, phone=other)

    assert await Contact.all().count() == 2


async def test_lists_and_opt_outs_find_the_other_form(caller: Caller) -> None:
    await a_contact(caller, phone=WITHOUT)
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]

    moved = await lists.add_members(caller, list_id, lists.Members(phones=[WITH]))
    done = await contacts.opt_out(caller, contacts.OptOut(phones=[WITH]))

    assert (moved["matched"], done["registrados"], done["suprimidosSemContato"]) == (1, 1, 0)


async def test_an_organization_may_tell_the_forms_apart(caller: Caller) -> None:
    await contacts.unify_ninth_digit(caller.organization_id, False)
    apart = telling_apart(caller)

    await a_contact(apart, phone=WITH)
    await a_contact(apart, phone=WITHOUT)

    assert await Contact.all().count() == 2
    assert await setting(caller) is False


async def test_what_is_stored_is_filed_anew_in_both_environments(caller: Caller) -> None:
    _, live = await strangers(caller)
    for one in (caller, live):
        for phone in (WITHOUT, "+551133334444", "+5511912345678"):
            await a_contact(one, phone=phone)

    done = await contacts.unify_ninth_digit(caller.organization_id, False)

    assert done.contacts == 2
    for one in (caller, live):
        with pytest.raises(PhoneAlreadyRegistered):
            await a_contact(telling_apart(one), phone=WITHOUT)
        await a_contact(telling_apart(one), phone=WITH)
    (entry,) = await audited(caller.organization_id, "ninth_digit.set")
    assert entry["facts"] == {"unifies": False, "contacts": 2}


async def test_others_keep_their_setting_and_their_contacts(caller: Caller) -> None:
    stranger, _ = await strangers(caller)
    await a_contact(stranger, phone=WITHOUT)

    assert (await contacts.unify_ninth_digit(caller.organization_id, False)).contacts == 0

    assert await setting(stranger) is True
    with pytest.raises(PhoneAlreadyRegistered):
        await a_contact(stranger, phone=WITH)


async def test_denials_and_the_ledger_follow_their_contact(caller: Caller) -> None:
    made = await a_contact(caller, phone=WITHOUT)
    await a_denial(caller, WITHOUT)

    await contacts.unify_ninth_digit(caller.organization_id, False)

    apart = telling_apart(caller)
    identity = contacts.phone_identity(apart, WITHOUT)
    assert identity in [bytes(denial.identity) for denial in await rows_of(ContactDenial)]
    assert [bytes(entry.identity) for entry in await ContactConsent.all()] == [identity]
    assert (await contacts.opt_out(apart, contacts.OptOut(contact_ids=[made["id"]])))[
        "jaEstavam"
    ] == 1


async def test_a_grant_after_the_switch_ends_the_denial(caller: Caller) -> None:
    made = await a_contact(caller, phone=WITHOUT)
    await a_denial(caller, WITHOUT)
    for unified in (False, True):
        await contacts.unify_ninth_digit(caller.organization_id, unified)
    grant = contacts.ContactChanges(
        opt_in=contacts.OptIn(status=contacts.OptInStatus.GRANTED, source="on the phone")
    )

    await contacts.change_contact(as_session(caller), made["id"], grant)

    assert contacts.phone_identity(caller, WITHOUT) not in [
        bytes(one.identity) for one in await rows_of(ContactDenial)
    ]


async def test_contacts_with_both_forms_hold_the_switch_back_and_nothing_changes(
    caller: Caller,
) -> None:
    await contacts.unify_ninth_digit(caller.organization_id, False)
    for phone in (WITH, WITHOUT):
        await a_contact(telling_apart(caller), phone=phone)
    before = await Contact.all().order_by("id").values("id", "identity")

    with pytest.raises(BothFormsRegistered) as refused:
        await contacts.unify_ninth_digit(caller.organization_id, True)

    assert WITHOUT[1:] not in str(refused.value)
    assert await setting(caller) is False
    assert await Contact.all().order_by("id").values("id", "identity") == before


async def test_the_same_setting_again_files_nothing(caller: Caller) -> None:
    await a_contact(caller, phone=WITHOUT)

    assert (await contacts.unify_ninth_digit(caller.organization_id, True)).contacts == 0


async def test_an_unknown_organization_is_refused(caller: Caller) -> None:
    with pytest.raises(NoSuchOrganization):
        await contacts.unify_ninth_digit("org_of_nobody", False)
