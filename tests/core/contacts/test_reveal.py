"""Documents are shown whole to a person in a session, and the look is audited."""

from dataclasses import replace

import pytest

from core import contacts
from core.foundation.errors import Forbidden, NotFound
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from tests.core.contacts.conftest import as_session, strangers
from tests.factories.contacts import a_contact
from tests.support.told import audited

CPF = "52998224725"


async def looks(caller: Caller) -> list[dict[str, object]]:
    return await audited(caller.organization_id, "contact.document_revealed")


async def test_a_session_sees_the_documents_and_the_look_is_audited(caller: Caller) -> None:
    made = await a_contact(caller, cpf=CPF, birthDate="1990-12-31")

    assert await contacts.reveal_documents(as_session(caller), made["id"]) == {
        "cpf": CPF,
        "nascimento": "1990-12-31",
    }

    (look,) = await looks(caller)
    assert (look["actor_kind"], look["actor_id"]) == ("account", caller.account_id)
    assert (look["subject_id"], look["facts"]) == (made["id"], {"campos": ["cpf", "nascimento"]})


async def test_a_contact_without_documents_reveals_none(caller: Caller) -> None:
    made = await a_contact(caller)

    assert await contacts.reveal_documents(as_session(caller), made["id"]) == {}
    assert len(await looks(caller)) == 1


async def test_a_key_reveals_nothing_whatever_its_scopes(caller: Caller) -> None:
    made = await a_contact(caller, cpf=CPF)

    for key in (caller, replace(caller, scopes=frozenset(Scope))):
        with pytest.raises(Forbidden) as refused:
            await contacts.reveal_documents(key, made["id"])
        assert refused.value.meta == {"escopoExigido": "contacts:pii"}

    assert await looks(caller) == []


async def test_a_session_without_the_scope_reveals_nothing(caller: Caller) -> None:
    made = await a_contact(caller, cpf=CPF)
    operator = replace(as_session(caller), scopes=frozenset(Scope) - {Scope.CONTACTS_PII})

    with pytest.raises(Forbidden):
        await contacts.reveal_documents(operator, made["id"])

    assert await looks(caller) == []


async def test_contacts_of_others_and_unknown_ones_are_not_there(caller: Caller) -> None:
    theirs = [(await a_contact(stranger, cpf=CPF))["id"] for stranger in await strangers(caller)]

    for id in [*theirs, new_id("cnt"), "nonsense"]:
        with pytest.raises(NotFound):
            await contacts.reveal_documents(as_session(caller), id)

    assert await looks(caller) == []
