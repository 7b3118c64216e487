"""The contact operations of the interface."""

from core import contacts
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.contacts import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import CONTACT


async def list_contacts(
    call: Call[None, contacts.ContactFilter],
) -> WrittenPage[contacts.ContactPage]:
    return await contacts.list_contacts(call.caller, call.query)


async def create_contact(call: Call[contacts.NewContact]) -> contacts.ContactRecord:
    return await contacts.create_contact(call.caller, call.body)


async def get_contact(call: Call) -> contacts.SingleContactRecord:
    return await contacts.get_contact(call.caller, call.path["id"])


async def change_contact(call: Call[contacts.ContactChanges]) -> contacts.ContactRecord:
    return await contacts.change_contact(call.caller, call.path["id"], call.body)


async def opt_out(call: Call[contacts.OptOut]) -> contacts.OptOutOutcome:
    return await contacts.opt_out(call.caller, call.body)


async def opt_in(call: Call[contacts.ChannelOptIn]) -> contacts.OptInOutcome:
    return await contacts.opt_in(call.caller, call.body)


async def get_opt_out_words(call: Call) -> contacts.OptOutWordsRecord:
    return await contacts.get_opt_out_words(call.caller)


async def set_opt_out_words(call: Call[contacts.OptOutWords]) -> contacts.OptOutWordsRecord:
    return await contacts.set_opt_out_words(call.caller, call.body)


async def list_fields(call: Call) -> contacts.ContactFieldList:
    return await contacts.list_fields(call.caller)


async def reveal_documents(call: Call) -> contacts.DocumentsRecord:
    return await contacts.reveal_documents(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/contacts",
        list_contacts,
        Scope.CONTACTS_READ,
        "List contacts, newest first",
        "Contacts",
        description=(
            "`q` looks for any part of name, profile name, e-mail or phone and needs pii:full; "
            "without it, it is left "
            "out, with an entry in `warnings`. With `updatedSince` contacts come in the order of "
            "their last change, "
            "oldest first: keep sending `nextCursor` back as `cursor` until there is none. A "
            "cursor or a date that "
            "cannot be read gives an empty page."
        ),
        errors=(401, 403),
        query=contacts.ContactFilter,
        answer=contacts.ContactPage,
        answers=examples.PAGES,
    ),
    Operation(
        "POST",
        "/contacts",
        create_contact,
        Scope.CONTACTS_WRITE,
        "Create a contact",
        "Contacts",
        description=(
            "The phone is the natural identity: a Brazilian mobile with and without its ninth "
            "digit is the same one. "
            "The date of a consent is now; an API key may inform it (`at` of a grant, "
            "`revokedAt` of a denial), so "
            "that old consents can be brought in. Whoever opted out before starts as denied."
        ),
        errors=(401, 403, 409, 422),
        status=201,
        body=contacts.NewContact,
        answer=contacts.ContactRecord,
        answers={"created": examples.CREATED},
        examples={
            "customer": {
                "phone": "+5511987654321",
                "name": "Ana Souza",
                "email": "ana@example.com",
                "externalId": "cliente-1042",
                "tags": ["vip"],
                "attributes": {"cidade": "São Paulo", "pedidos": 3},
                "optIn": {"status": "granted", "source": "site"},
                "source": "api",
            }
        },
    ),
    Operation(
        "GET",
        "/contacts/fields",
        list_fields,
        Scope.CONTACTS_READ,
        "List the fields that contacts have",
        "Contacts",
        description="Standard fields, the attributes that some contact has had, and ids in "
        "integrated systems.",
        heavy=True,
        errors=(401, 403),
        answer=contacts.ContactFieldList,
        answers={"fields": examples.FIELDS},
    ),
    Operation(
        "POST",
        "/contacts/opt-out",
        opt_out,
        Scope.CONTACTS_WRITE,
        "Record who asked not to receive messages",
        "Contacts",
        description=(
            "At most 10,000 identifiers in a call. Phones and e-mails without a contact are kept "
            "and never written to. "
            "Only the channel `todos` makes a contact's consent denied. Repeating it changes "
            "nothing."
        ),
        heavy=True,
        errors=(401, 403, 422),
        body=contacts.OptOut,
        answer=contacts.OptOutOutcome,
        answers={"done": examples.OPTED_OUT},
        examples={
            "phones": {
                "phones": ["+5511987654321"],
                "canal": "todos",
                "motivo": "Pediu por telefone",
            }
        },
    ),
    Operation(
        "GET",
        "/contacts/opt-out/words",
        get_opt_out_words,
        Scope.CONTACTS_READ,
        "Read the words of opt-out",
        "Contacts",
        description=(
            "A reply or a received message that is exactly one of these words, without regard to "
            "case, accents, spaces "
            "and punctuation, closes its channel for who wrote it (`saida`), or opens it again "
            "(`volta`)."
        ),
        errors=(401, 403),
        answer=contacts.OptOutWordsRecord,
        answers={"unless others are set": examples.OPT_OUT_WORDS},
    ),
    Operation(
        "PUT",
        "/contacts/opt-out/words",
        set_opt_out_words,
        Scope.CONTACTS_WRITE,
        "Choose the words of opt-out",
        "Contacts",
        description=(
            "For the environment of the credential. Both lists are replaced; an empty one means "
            "that no word does it, "
            "and that you listen to replies yourself."
        ),
        errors=(401, 403, 422),
        body=contacts.OptOutWords,
        answer=contacts.OptOutWordsRecord,
        answers={"set": {"saida": ["SAIR", "Não quero"], "volta": ["VOLTAR"]}},
        examples={
            "own words": {"saida": ["SAIR", "Não quero"], "volta": ["VOLTAR"]},
            "none": {"saida": [], "volta": []},
        },
    ),
    Operation(
        "POST",
        "/contacts/opt-in",
        opt_in,
        Scope.CONTACTS_WRITE,
        "Open a channel again for people who asked for it",
        "Contacts",
        description=(
            "Ends the opt-outs of one channel that are older than `em`; a later one stays, and "
            "`anteriores` tells. "
            "Who closed all channels is opened by `canal` todos alone, which makes the consent "
            "granted. At most 10,000 "
            "identifiers in a call. Repeating it changes nothing."
        ),
        errors=(401, 403, 422),
        body=contacts.ChannelOptIn,
        answer=contacts.OptInOutcome,
        answers={"done": examples.OPTED_IN},
        examples={
            "one channel": examples.OPT_IN_OF_ONE_CHANNEL,
        },
    ),
    Operation(
        "GET",
        "/contacts/{id}",
        get_contact,
        Scope.CONTACTS_READ,
        "Read one contact",
        "Contacts",
        description=(
            "`documentos` shows the documents that the contact has, always masked; `optOuts` "
            "what it closed."
        ),
        errors=(401, 403, 404),
        answer=contacts.SingleContactRecord,
        answers={"contact": examples.WITH_DOCUMENTS},
        ids={"id": CONTACT},
    ),
    Operation(
        "PATCH",
        "/contacts/{id}",
        change_contact,
        Scope.CONTACTS_WRITE,
        "Change a contact",
        "Contacts",
        description=(
            "Only what is sent changes; null clears a field. `tags` and `attributes` replace "
            "what is stored; "
            "`tagsAdicionar`, `tagsRemover` and `attributesMesclar` change a part of it. A "
            "denied consent is granted "
            "again only with a `source` and an `at` later than the revocation."
        ),
        errors=(401, 403, 404, 409, 422),
        body=contacts.ContactChanges,
        answer=contacts.ContactRecord,
        answers={"changed": examples.CHANGED},
        ids={"id": CONTACT},
        examples={
            "partial": {
                "name": "Ana S. Lima",
                "tagsAdicionar": ["renovou"],
                "attributesMesclar": {"pedidos": 4},
            }
        },
    ),
    Operation(
        "POST",
        "/v2/contacts/{id}/documentos/revelar",
        reveal_documents,
        Scope.CONTACTS_PII,
        "Reveal a contact's documents",
        "Contacts",
        description="In a session only, and audited. An API key is refused whatever its scopes.",
        errors=(401, 403, 404),
        answer=contacts.DocumentsRecord,
        answers={"documents": examples.DOCUMENTS},
        ids={"id": CONTACT},
    ),
]
