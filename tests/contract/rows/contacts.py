"""Interface: Contact; Endpoints, Contacts. Decisions: the other five, and erasure and export."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from core import contacts
from core.foundation.security.caller import Caller, Env
from tests.contract.table import Answer, Before, Endpoint, Event, Refusal
from tests.contract.world import World
from tests.factories.contacts import a_contact, a_denial, a_phone
from tests.factories.organizations import a_caller


async def a_contact_id(caller: Caller) -> str:
    """The id of a contact."""
    return str((await a_contact(caller))["id"])


async def a_free_phone(caller: Caller) -> str:
    """A phone of nobody."""
    return a_phone()


async def a_contact_of_another_environment(caller: Caller) -> str:
    """The id of a contact that the caller's own organization has, but not here."""
    there: Env = "live" if caller.env == "test" else "test"
    return await a_contact_id(replace(caller, env=there))


async def a_contact_of_another_organization(caller: Caller) -> str:
    """The id of somebody else's contact."""
    return await a_contact_id(await a_caller(caller.env))


async def a_contact_who_said_no(caller: Caller) -> str:
    """The id of a contact who denied all channels."""
    return str((await a_contact(caller, optIn={"status": "denied"}))["id"])


async def nobodys_id(caller: Caller) -> str:
    """An id that no contact has."""
    return "cnt_000000000000000000000"


RECORDS = {"contact": a_contact_id, "phone": a_free_phone}


def named(make: Callable[[Caller], Awaitable[str]]) -> Before:
    """The contact that the request names is this one."""

    async def it_is(world: World) -> None:
        world.records["contact"] = await make(world.caller)

    return it_is


def wrong_recipients(address: str, **marketing: Any) -> list[Refusal]:
    """What a send refuses of the contact that it names; `marketing` makes of its body one where
    opt-outs count.
    """
    nobody = (nobodys_id, a_contact_of_another_environment, a_contact_of_another_organization)
    return [
        *(
            Refusal(
                status=422,
                address=address,
                before=named(make),
                change={"contactId": "<contact>"},
                meta={"code": "CONTATO_INEXISTENTE"},
                wrong={"/contactId": "CONTATO_INEXISTENTE"},
            )
            for make in nobody
        ),
        Refusal(
            status=422,
            address=address,
            before=named(a_contact_who_said_no),
            change={"contactId": "<contact>", **marketing},
            meta={"motivo": "opt_out"},
            wrong={"/to": "opt_out"},
        ),
    ]


def a_landline(address: str) -> list[Refusal]:
    """A live send to a fixed line; one that may be a mobile, and any in the sandbox, is taken."""
    return [
        Refusal(
            status=422,
            address=address,
            env="live",
            change={"to": to},
            meta={"motivo": "telefone_fixo"},
            wrong={"/to": "telefone_fixo"},
        )
        for to in ("+551133334444", "(11) 3333-4444", "+442071234567")
    ]


WRITABLE = (
    "name email avatarUrl externalId externalIds companyId papelNaEmpresa cpf cnpj birthDate tags[] "
    "attributes debtorGroups[] optIn source"
)

ENDPOINTS = [
    Endpoint(
        address="GET /contacts",
        scope="contacts:read",
        errors="401 403",
        parameters="tag optInStatus source externalId listId updatedSince q limit* skip* cursor",
    ),
    Endpoint(
        address="POST /contacts",
        scope="contacts:write",
        status=201,
        errors="401 403 409 422",
        fields=f"phone! {WRITABLE}",
        body={
            "phone": "<phone>",
            "name": "Ana Souza",
            "optIn": {"status": "granted"},
            "source": "api",
        },
    ),
    Endpoint(address="GET /contacts/fields", scope="contacts:read", errors="401 403"),
    Endpoint(
        address="POST /contacts/opt-out",
        scope="contacts:write",
        errors="401 403 422",
        fields="phones[] contactIds[] externalIds[] emails[] canal motivo em fonte",
        body={"contactIds": ["<contact>"]},
    ),
    Endpoint(
        address="POST /contacts/opt-in",
        scope="contacts:write",
        errors="401 403 422",
        whole="required",
        fields="phones[] contactIds[] externalIds[] emails[] canal! fonte! em!",
        body={
            "contactIds": ["<contact>"],
            "canal": "sms",
            "fonte": "central",
            "em": "2026-01-01T12:00:00Z",
        },
    ),
    Endpoint(address="GET /contacts/opt-out/words", scope="contacts:read", errors="401 403"),
    Endpoint(
        address="PUT /contacts/opt-out/words",
        scope="contacts:write",
        errors="401 403 422",
        fields="saida[]! volta[]!",
        body={"saida": ["SAIR", "Não quero"], "volta": ["VOLTAR"]},
    ),
    Endpoint(
        address="GET /contacts/{id}",
        scope="contacts:read",
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
    Endpoint(
        address="PATCH /contacts/{id}",
        scope="contacts:write",
        errors="401 403 404 409 422",
        ids={"id": "<contact>"},
        fields=f"phone {WRITABLE} tagsAdicionar[] tagsRemover[] attributesMesclar",
        body={"name": "Ana Lima"},
    ),
    Endpoint(
        address="DELETE /contacts/{id}",
        scope="contacts:write",
        status=204,
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
    Endpoint(
        address="GET /contacts/{id}/dados",
        scope="contacts:pii",
        by="session",
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
    Endpoint(
        address="POST /v2/contacts/{id}/documentos/revelar",
        scope="contacts:pii",
        by="session",
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
]

CREATE, CHANGE, OPT_OUT = "POST /contacts", "PATCH /contacts/{id}", "POST /contacts/opt-out"
OPT_IN = "POST /contacts/opt-in"
TOMORROW = "2999-01-01T00:00:00Z"


async def the_phone_is_taken(world: World) -> None:
    await a_contact(world.caller, phone=await world.record("phone"))


async def the_external_id_is_taken(world: World) -> None:
    await a_contact(world.caller, externalId="cliente-1042")


async def it_opted_out(world: World) -> None:
    stored = await contacts.get_contact(world.caller, await world.record("contact"))
    await a_denial(world.caller, stored["phone"])


def refused(address: str, field: str, code: str, **more: Any) -> Refusal:
    """A rule about one field, named in `meta.code` as well."""
    return Refusal(
        status=422,
        address=address,
        wrong={field: code},
        meta={"code": code} if code.isupper() else {},
        **more,
    )


REFUSALS = [
    Refusal(
        status=409,
        address=CREATE,
        before=the_phone_is_taken,
        change={"phone": "<phone>"},
        meta={"code": "TELEFONE_JA_CADASTRADO"},
        wrong={"/phone": "TELEFONE_JA_CADASTRADO"},
    ),
    *(
        Refusal(
            status=409,
            address=address,
            before=the_external_id_is_taken,
            change={"externalId": "cliente-1042"},
            meta={"code": "EXTERNAL_ID_JA_CADASTRADO"},
            wrong={"/externalId": "EXTERNAL_ID_JA_CADASTRADO"},
        )
        for address in (CREATE, CHANGE)
    ),
    refused(CHANGE, "/phone", "TELEFONE_IMUTAVEL", change={"phone": "+5511912345678"}),
    *(
        refusal
        for address in (CREATE, CHANGE)
        for refusal in (
            refused(
                address,
                "/companyId",
                "VINCULO_INVALIDO",
                change={"companyId": "emp_000000000000000000000"},
            ),
            refused(address, "/phone", "VALOR_MASCARADO", change={"phone": "+5511*****5678"}),
            refused(address, "/email", "VALOR_MASCARADO", change={"email": "a***@dominio.com"}),
            refused(address, "/cpf", "VALOR_MASCARADO", change={"cpf": "***.456.***-**"}),
            refused(address, "/cnpj", "VALOR_MASCARADO", change={"cnpj": "**.456.***/****-**"}),
            refused(address, "/cpf", "invalid_cpf", change={"cpf": "12345678900"}),
            refused(address, "/cnpj", "invalid_cnpj", change={"cnpj": "123"}),
            refused(address, "/phone", "invalid_phone", change={"phone": "12"}),
            refused(
                address,
                "/avatarUrl",
                "not_a_picture",
                change={"avatarUrl": "data:text/html;base64,AAAA"},
            ),
            refused(address, "/birthDate", "in_the_future", change={"birthDate": "2999-01-01"}),
            refused(
                address,
                "/optIn/at",
                "DATA_DO_CONSENTIMENTO_NO_FUTURO",
                change={"optIn": {"status": "granted", "at": TOMORROW}},
            ),
            refused(
                address,
                "/optIn/revokedAt",
                "DATA_DO_CONSENTIMENTO_NO_FUTURO",
                change={"optIn": {"status": "denied", "revokedAt": TOMORROW}},
            ),
        )
    ),
    refused(OPT_OUT, "/em", "DATA_DO_CONSENTIMENTO_NO_FUTURO", change={"em": TOMORROW}),
    refused(OPT_IN, "/em", "DATA_DO_CONSENTIMENTO_NO_FUTURO", change={"em": TOMORROW}),
    refused("PUT /contacts/opt-out/words", "", "repeated", change={"volta": ["sair!"]}),
    refused(
        CHANGE,
        "/optIn/at",
        "CONSENTIMENTO_ANTERIOR_A_REVOGACAO",
        before=it_opted_out,
        change={"optIn": {"status": "granted", "source": "site", "at": "2020-01-01T00:00:00Z"}},
    ),
    refused(
        CHANGE,
        "/optIn/status",
        "MOVIMENTO_DE_CONSENTIMENTO_INVALIDO",
        before=it_opted_out,
        change={"optIn": {"status": "unknown"}},
    ),
]


async def a_contact_is_created(world: World) -> None:
    await a_contact(
        world.caller, externalId="cliente-1042", tags=["vip"], optIn={"status": "granted"}
    )


async def somebody_opts_out(world: World) -> None:
    stored = await contacts.get_contact(world.caller, await world.record("contact"))
    wish = {
        "phones": [stored["phone"]],
        "canal": "sms",
        "motivo": "Pediu por telefone",
        "fonte": "central",
    }
    await contacts.opt_out(world.caller, contacts.OptOut.model_validate(wish))


EVENTS = [
    Event(
        name="contact.created",
        data="id source externalId tags optIn env",
        cause=a_contact_is_created,
    ),
    Event(
        name="contact.opted_out",
        data="id phone channel reason source at env",
        cause=somebody_opts_out,
    ),
]


def consent_recorded(informed: bool, **opt_in: str) -> Answer:
    """What the audit trail holds of the consent that a contact was created with."""

    async def created(world: World) -> None:
        await a_contact(world.caller, optIn={"status": "granted", **opt_in})

    return Answer(
        address="GET /v2/audit",
        before=created,
        query={"action": "contact.consent_changed"},
        tells={
            "items/0/action": "contact.consent_changed",
            "items/0/facts/dataInformada": informed,
        },
    )


def sms_was_closed(em: str) -> Before:
    """The contact closed SMS at this time."""

    async def closed(world: World) -> None:
        wish = {
            "contactIds": [await world.record("contact")],
            "canal": "sms",
            "em": em,
            "fonte": "loja",
        }
        await contacts.opt_out(world.caller, contacts.OptOut.model_validate(wish))

    return closed


EARLIER, LATER = "2025-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"
DEFAULT_WORDS = {
    "saida": ["SAIR", "PARE", "PARAR", "CANCELAR", "STOP", "DESCADASTRAR"],
    "volta": ["VOLTAR", "START"],
}

ANSWERS = [
    Answer(
        address="GET /contacts/{id}",
        before=sms_was_closed(EARLIER),
        tells={
            "optOuts/0/canal": "sms",
            "optOuts/0/em": EARLIER,
            "optOuts/0/origem": "loja",
            "optIn/status": "unknown",
        },
    ),
    Answer(address="GET /contacts/{id}", tells={"optOuts": []}),
    Answer(
        address=OPT_IN, before=sms_was_closed(EARLIER), tells={"registrados": 1, "naoEstavam": 0}
    ),
    Answer(address=OPT_IN, tells={"registrados": 0, "naoEstavam": 1}),
    Answer(
        address=OPT_IN,
        before=sms_was_closed(LATER),
        tells={"registrados": 0, "anterioresARevogacao": 1},
    ),
    Answer(address="GET /contacts/opt-out/words", tells=DEFAULT_WORDS),
    Answer(
        address="PUT /contacts/opt-out/words",
        change={"saida": [], "volta": []},
        tells={"saida": [], "volta": []},
    ),
    consent_recorded(False),
    consent_recorded(True, at="2020-01-01T00:00:00Z"),
    Answer(
        address=CREATE,
        change={"source": ..., "optIn": ...},
        tells={"source": "manual", "optIn/status": "unknown"},
    ),
    Answer(
        address=CREATE, change={"cnpj": "12.abc.345/01de-00"}, tells={"optIn/status": "granted"}
    ),
]
