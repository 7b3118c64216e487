"""Importing contacts: what each line becomes, and that no line harms another."""

import asyncio
import math
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import contact_imports, contacts, lists
from core.contact_imports import ContactImport
from core.contacts import Contact
from core.foundation import turns
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.webhooks import WebhookEvent
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import phones, stored_contact
from tests.support.races import outside, somebody_waits

DONE = {
    "criados": 0,
    "atualizados": 0,
    "inalterados": 0,
    "ignorados": 0,
    "erros": [],
    "warnings": [],
}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


def lines(number: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"phone": phone, **fields} for phone in phones(number)]


async def bring(caller: Caller, contatos: list[Any], **options: Any) -> dict[str, Any]:
    body = orjson.dumps({"contatos": contatos, **options})
    return dict(await contact_imports.import_contacts(caller, read_body(ContactImport, body)))


def codes(done: Mapping[str, Any]) -> list[tuple[int, str | None, str]]:
    return [(told["linha"], told.get("campo"), told["codigo"]) for told in done["erros"]]


async def everybody() -> list[dict[str, Any]]:
    rows = await db.fetch("SELECT * FROM contacts ORDER BY phone")
    return [dict(row) for row in rows]


async def test_new_lines_are_created(caller: Caller) -> None:
    done = await bring(
        caller,
        [
            {"phone": "(11) 98000-0000", "name": "Ana", "tags": ["vip"], "cpf": "529.982.247-25"},
            *lines(3)[1:],
        ],
    )

    assert done == {**DONE, "criados": 3}
    ana, *_ = await everybody()
    assert (ana["phone"], ana["name"], ana["tags"], ana["source"]) == (
        "+5511980000000",
        "Ana",
        ["vip"],
        "import",
    )
    assert await WebhookEvent.filter(type="contact.created").count() == 3


async def test_a_line_keeps_the_source_that_it_names(caller: Caller) -> None:
    await bring(caller, lines(1, source="api"))

    assert (await everybody())[0]["source"] == "api"


async def test_a_silent_import_tells_nobody(caller: Caller) -> None:
    await bring(caller, lines(2), silencioso=True)

    assert await Contact.all().count() == 2
    assert await WebhookEvent.filter(type="contact.created").count() == 0


async def test_known_contacts_change_only_in_what_the_line_has(caller: Caller) -> None:
    await bring(caller, lines(2, name="Ana", tags=["vip"], attributes={"city": "Recife"}))
    before = await everybody()

    done = await bring(
        caller,
        [
            {"phone": phones(1)[0], "email": "ana@example.com"},
            {"phone": phones(2)[1], "name": "Ana"},
        ],
    )

    assert done == {**DONE, "atualizados": 1, "inalterados": 1}
    ana, bia = await everybody()
    assert (ana["name"], ana["tags"], ana["email"]) == ("Ana", ["vip"], "ana@example.com")
    assert ana["attributes"] == {"city": "Recife"}
    assert ana["updated_at"] > before[0]["updated_at"]
    assert bia == before[1]


async def test_null_clears_what_the_line_names(caller: Caller) -> None:
    await bring(caller, lines(1, name="Ana", email="ana@example.com"))

    await bring(caller, lines(1, email=None))

    assert ((await everybody())[0]["name"], (await everybody())[0]["email"]) == ("Ana", None)


async def test_the_same_import_again_changes_nothing(caller: Caller) -> None:
    whole = lines(3, name="Ana", cpf="52998224725", optIn={"status": "granted", "source": "shop"})
    await bring(caller, whole)
    before = await everybody()

    assert await bring(caller, whole) == {**DONE, "inalterados": 3}
    assert await everybody() == before


async def test_known_contacts_may_be_left_alone_or_refused(caller: Caller) -> None:
    await bring(caller, lines(1, name="Ana"))

    assert await bring(caller, lines(2, name="Bia"), seExistir="ignorar") == {
        **DONE,
        "criados": 1,
        "ignorados": 1,
    }
    refused = await bring(caller, lines(3, name="Cid"), seExistir="erro")

    assert refused["criados"] == 1
    assert codes(refused) == [
        (1, "phone", "TELEFONE_JA_CADASTRADO"),
        (2, "phone", "TELEFONE_JA_CADASTRADO"),
    ]
    assert [row["name"] for row in await everybody()] == ["Ana", "Bia", "Cid"]


async def test_both_forms_of_a_mobile_are_one_contact(caller: Caller) -> None:
    done = await bring(
        caller,
        [{"phone": "+551180000000", "name": "first"}, {"phone": "+5511980000000", "name": "last"}],
    )

    assert done["criados"] == 1
    assert [(told["linha"], told["codigo"]) for told in done["warnings"]] == [(1, "linha_repetida")]
    assert (await everybody())[0]["name"] == "last"


async def test_lines_may_be_known_by_external_id(caller: Caller) -> None:
    await bring(caller, [{"phone": phones(1)[0], "externalId": "crm-0", "name": "Ana"}])

    done = await bring(
        caller,
        [
            {"phone": phones(1)[0], "externalId": "crm-0", "name": "Bia"},
            {"phone": phones(2)[1], "externalId": "crm-1"},
            {"phone": phones(3)[2]},
            {"phone": phones(4)[3], "externalId": "crm-0"},
        ],
        chave="externalId",
    )

    assert done["warnings"][0]["linha"] == 1
    assert (done["criados"], done["atualizados"]) == (1, 0)
    assert codes(done) == [(3, "externalId", "required"), (4, "phone", "TELEFONE_IMUTAVEL")]
    assert [row["name"] for row in await everybody()] == ["Ana", None]


@pytest.mark.parametrize("exists", ["atualizar", "ignorar"])
async def test_by_external_id_a_line_that_creates_nobody_needs_no_phone(
    caller: Caller, exists: str
) -> None:
    await bring(caller, [{"phone": phones(1)[0], "externalId": "crm-0", "name": "Ana"}])

    done = await bring(
        caller,
        [
            {"externalId": "crm-0", "name": "Bia"},
            {"externalId": "crm-1"},
            {"externalId": "crm-0", "phone": None},
        ],
        chave="externalId",
        seExistir=exists,
    )

    assert (done["criados"], done["atualizados"] + done["ignorados"]) == (0, 1)
    assert codes(done) == [(2, "phone", "required"), (3, "phone", "wrong_type")]
    (ana,) = await everybody()
    assert (ana["phone"], ana["name"]) == (phones(1)[0], "Bia" if exists == "atualizar" else "Ana")
    assert codes(await bring(caller, [{"externalId": "crm-0"}])) == [(1, "phone", "required")]


async def test_faulty_lines_are_told_and_the_others_enter(caller: Caller) -> None:
    good = phones(3)
    done = await bring(
        caller,
        [
            {"phone": good[0]},
            {"phone": "12", "email": "nobody", "never": 1},
            "no object",
            {"phone": "+5511*****7777"},
            {"phone": good[1], "attributes": {"a": {"b": 1}}},
            {"phone": good[1], "optIn": {"status": "granted", "at": "2999-01-01T00:00:00Z"}},
            {"phone": good[2]},
        ],
    )

    assert done["criados"] == 2
    assert codes(done) == [
        (2, "phone", "invalid_phone"),
        (2, "email", "wrong_format"),
        (2, "never", "unknown_field"),
        (3, None, "wrong_type"),
        (4, "phone", "VALOR_MASCARADO"),
        (5, "attributes.a", done["erros"][5]["codigo"]),
        (6, "optIn.at", "DATA_DO_CONSENTIMENTO_NO_FUTURO"),
    ]
    assert not any(value in str(done["erros"]) for value in ("nobody", "7777", "2999"))


async def test_a_number_that_no_column_holds_is_a_fault_of_its_line(caller: Caller) -> None:
    huge, endless, good = phones(3)
    body = (
        f'{{"contatos": [{{"phone": "{huge}", "attributes": {{"a": {10**30}}}}}, '
        f'{{"phone": "{endless}", "attributes": {{"a": NaN}}}}, {{"phone": "{good}"}}]}}'
    )

    done = await contact_imports.import_contacts(caller, read_body(ContactImport, body.encode()))

    assert done["criados"] == 1
    assert [(line, field) for line, field, _ in codes(done)] == [
        (1, "attributes.a"),
        (2, "attributes.a"),
    ]


async def test_of_a_line_of_nonsense_twenty_faults_are_told(caller: Caller) -> None:
    done = await bring(
        caller,
        [{"phone": phones(1)[0], **{f"never{number}": 1 for number in range(500)}}, *lines(1)],
    )

    assert done["criados"] == 1
    assert [line for line, _, _ in codes(done)] == [1] * 20


async def test_who_said_no_before_there_was_a_contact_starts_denied(caller: Caller) -> None:
    (phone,) = phones(1)
    await contacts.opt_out(caller, contacts.OptOut(phones=[phone]))

    done = await bring(caller, [{"phone": phone, "optIn": {"status": "granted", "source": "shop"}}])

    assert (done["criados"], done["erros"]) == (1, [])
    assert [row["opt_in_status"] for row in await everybody()] == ["denied"]


async def test_the_clock_of_a_line_may_run_five_minutes_ahead(caller: Caller) -> None:
    soon, later = (wire_time(now() + timedelta(minutes=minutes)) for minutes in (4, 6))
    granted = [{"optIn": {"status": "granted", "source": "shop", "at": at}} for at in (soon, later)]

    done = await bring(
        caller,
        [{"phone": phone, **consent} for phone, consent in zip(phones(2), granted, strict=True)],
    )

    assert (done["criados"], codes(done)) == (
        1,
        [(2, "optIn.at", "DATA_DO_CONSENTIMENTO_NO_FUTURO")],
    )


async def test_lines_that_want_one_external_id_clash_and_the_first_gets_it(caller: Caller) -> None:
    done = await bring(caller, lines(3, externalId="crm-0"))

    assert done["criados"] == 1
    assert codes(done) == [
        (2, "externalId", "EXTERNAL_ID_JA_CADASTRADO"),
        (3, "externalId", "EXTERNAL_ID_JA_CADASTRADO"),
    ]


async def test_an_external_id_of_another_contact_is_refused(caller: Caller) -> None:
    await stored_contact(caller, external_id="crm-0")

    done = await bring(caller, lines(1, externalId="crm-0") + lines(2)[1:])

    assert (done["criados"], codes(done)) == (1, [(1, "externalId", "EXTERNAL_ID_JA_CADASTRADO")])


async def test_two_contacts_may_swap_their_external_ids_in_two_imports(caller: Caller) -> None:
    one, two = phones(2)
    await bring(caller, [{"phone": one, "externalId": "a"}, {"phone": two, "externalId": "b"}])

    swapped = await bring(
        caller, [{"phone": one, "externalId": "b"}, {"phone": two, "externalId": "a"}]
    )

    # Each still belongs to the other when its line comes.
    assert len(codes(swapped)) == 2
    assert [row["external_id"] for row in await everybody()] == ["a", "b"]
    freed = await bring(
        caller, [{"phone": one, "externalId": None}, {"phone": two, "externalId": "a"}]
    )
    assert freed["atualizados"] + len(freed["erros"]) == 2


async def test_a_denied_consent_stays_denied_without_a_later_date(caller: Caller) -> None:
    (phone,) = phones(1)
    await bring(
        caller,
        [{"phone": phone, "optIn": {"status": "denied", "revokedAt": "2026-01-10T00:00:00Z"}}],
    )

    for opt_in in (
        {"status": "granted"},
        {"status": "granted", "source": "shop"},
        {"status": "granted", "source": "shop", "at": "2026-01-09T00:00:00Z"},
    ):
        done = await bring(caller, [{"phone": phone, "optIn": opt_in}])
        assert [code for _, _, code in codes(done)] == ["CONSENTIMENTO_ANTERIOR_A_REVOGACAO"]
    assert (await everybody())[0]["opt_in_status"] == "denied"

    granted = {"status": "granted", "source": "shop", "at": "2026-01-11T00:00:00Z"}
    assert (await bring(caller, [{"phone": phone, "optIn": granted}]))["atualizados"] == 1
    assert (await everybody())[0]["opt_in_at"] == datetime(2026, 1, 11, tzinfo=UTC)


async def test_everybody_who_is_known_or_made_goes_on_the_list(caller: Caller) -> None:
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    await bring(caller, lines(1))

    await bring(caller, [*lines(2), {"phone": "12"}], listId=list_id)

    on = {member.contact_id for member in await lists.ContactListMember.filter(list_id=list_id)}
    assert on == {row["id"] for row in await everybody()}
    assert (await lists.get_list(caller, list_id))["size"] == 2
    await bring(caller, lines(2), listId=list_id, seExistir="ignorar")
    assert (await lists.get_list(caller, list_id))["size"] == 2


async def test_a_list_of_others_is_refused_before_anything_is_stored(caller: Caller) -> None:
    theirs = (await lists.create_list(await a_caller(), lists.NewList(name="VIP")))["id"]

    for list_id in (theirs, "lst_x", "x" * 400):
        with pytest.raises(ValidationFailed) as refused:
            await bring(caller, lines(1), listId=list_id)
        assert refused.value.meta == {"code": "VINCULO_INVALIDO"}
    assert await everybody() == []


async def test_a_simulation_answers_the_same_and_changes_nothing(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["core.contact_imports.import_contacts"]
    monkeypatch.setattr(module, "BATCH_SIZE", 2)
    monkeypatch.setattr(module, "CONCURRENT_BATCHES", 1)  # the test is one transaction
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    await bring(caller, lines(1, name="Ana"))
    wanted = [*lines(5, name="Bia"), {"phone": "12"}]

    simulated = await bring(caller, wanted, simular=True, listId=list_id)

    assert [row["name"] for row in await everybody()] == ["Ana"]
    assert await WebhookEvent.filter(type="contact.created").count() == 1
    assert (await lists.get_list(caller, list_id))["size"] == 0
    assert await bring(caller, wanted, listId=list_id) == simulated
    assert (simulated["criados"], simulated["atualizados"], len(simulated["erros"])) == (4, 1, 1)


async def test_beside_light_requests_one_small_batch_at_a_time_is_stored(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["core.contact_imports.import_contacts"]
    monkeypatch.setattr(module, "BATCH_SIZE", 4)
    monkeypatch.setattr(module, "SMALL_BATCH_SIZE", 2)
    monkeypatch.setattr(turns, "LIGHT_SECONDS", 3_600)
    monkeypatch.setattr(turns, "_light_at", -math.inf)  # whatever came before
    sizes: list[int] = []
    under_way: set[int] = set()
    store = module._store

    async def stored(caller: Caller, lines: Sequence[Any], *more: Any, **options: Any) -> Any:
        assert not under_way
        under_way.add(len(sizes))
        sizes.append(len(lines))
        try:
            return await store(caller, lines, *more, **options)
        finally:
            under_way.clear()
            turns.note_light_request()

    monkeypatch.setattr(module, "_store", stored)
    monkeypatch.setattr(module, "CONCURRENT_BATCHES", 1)  # until the first of them comes
    done = await bring(caller, lines(9))

    assert (done["criados"], sizes) == (9, [4, 2, 2, 1])

    monkeypatch.setattr(module, "CONCURRENT_BATCHES", 3)
    again = await bring(caller, lines(5))

    assert (again["inalterados"], sizes[4:]) == (5, [2, 2, 1])

    monkeypatch.setattr(module, "CONCURRENT_BATCHES", 1)
    monkeypatch.setattr(module, "GENTLE_SECONDS", 0.0)
    await bring(caller, lines(5))

    assert sizes[7:] == [4, 1], "one that has waited for long enough goes on as if it were alone"


async def test_contacts_of_others_are_not_touched(caller: Caller) -> None:
    strangers = [await a_caller(), await a_caller("live", organization_id=caller.organization_id)]
    for stranger in strangers:
        await bring(stranger, lines(1, name="Theirs", externalId="crm-0"))

    assert (await bring(caller, lines(1, name="Mine", externalId="crm-0")))["criados"] == 1
    assert sorted(row["name"] for row in await everybody()) == ["Mine", "Theirs", "Theirs"]


@pytest.mark.parametrize(
    "body", [{}, {"contatos": []}, {"contatos": [{}] * 10_001}, {"contatos": [{}], "chave": "cpf"}]
)
def test_a_faulty_import_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValidationFailed):
        read_body(ContactImport, orjson.dumps(body))


async def test_importing_needs_its_scope(caller: Caller) -> None:
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden):
        await bring(reader, lines(1))

    assert await everybody() == []


@pytest.mark.usefixtures("real_commits")
async def test_imports_of_the_same_contacts_at_once_create_each_once() -> None:
    caller = await a_caller()
    whole = lines(60, name="Ana")

    done = await asyncio.gather(
        *(bring(caller, whole) for _ in range(4)), bring(caller, whole[::-1])
    )

    assert await Contact.all().count() == 60
    assert sum(one["criados"] for one in done) == 60
    assert sum(one["criados"] + one["atualizados"] + one["inalterados"] for one in done) == 300
    assert [one["erros"] for one in done] == [[]] * 5


@pytest.mark.usefixtures("real_commits")
async def test_an_import_beside_single_creations_refuses_nothing() -> None:
    caller = await a_caller()
    whole = lines(40)

    async def create(phone: str) -> bool:
        try:
            await contacts.create_contact(caller, contacts.NewContact(phone=phone))
        except contacts.PhoneAlreadyRegistered:
            return False
        return True

    done, *created = await asyncio.gather(
        bring(caller, whole), *(create(line["phone"]) for line in whole[::4])
    )

    assert done["erros"] == []
    assert done["criados"] + sum(created) == 40 == await Contact.all().count()


@pytest.mark.usefixtures("real_commits")
async def test_a_list_that_is_deleted_under_an_import_is_told_in_every_line() -> None:
    caller = await a_caller()
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]

    async with transaction():
        await lists.delete_list(caller, list_id)
        importing = outside(bring(caller, lines(3), listId=list_id))
        await somebody_waits()
    done = await importing

    assert codes(done) == [(line, None, "NOT_FOUND") for line in (1, 2, 3)]
    assert await lists.ContactListMember.all().count() == await Contact.all().count() == 0
