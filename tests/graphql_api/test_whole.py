"""A front end needs nothing but the schema: an id has its record beside it, a record is a node."""

from collections.abc import Iterator, Mapping

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
)

from graphql_api.schema import graphql_schema
from tests.factories.cards import some_deals
from tests.factories.organizations import a_caller
from tests.support.graphql import ask, data_of
from tests.support.statements import statements

OWN = "organizationId"
"""That of whoever asks: `me { organization }`."""

NOT_OURS = {
    "appId", "campaignId", "contactExternalId", "eventId", "externalId", "externalIds", "metaFlowId",
    "metaMessageId", "metaTemplateId", "phoneNumberId", "requestId", "systemId", "wabaId",
}  # fmt: skip
"""Ids that others make up, and what no record is kept of."""

OF_AN_ENTRY = "an entry of a timeline, beside which its record hangs"
OF_A_NODE = "the node hangs beside it"
OF_A_SEND = "`message` hangs beside it"
UNKNOWN = "no contact has it"

IDS_ALONE: Mapping[str, str] = {
    "Attribution.journeyId": "journeys are not there yet where it is written",
    "Attribution.journeyRunId": "runs are no records",
    "Attribution.journeyStepId": "steps are no records",
    "Attribution.messageId": "`attributedMessage` of the event",
    "AuditEntry.subjectId": "of any kind: `node` shows it",
    "CardMove.pipelineId": "`card` hangs beside it",
    "CardMove.porId": "`card` hangs beside it",
    "CardRefusal.cardId": "of the answer to a call that named it",
    "Conversation.instagramAccountId": "accounts at Instagram are shown by `svc` alone",
    "ConversationMessage.instagramAccountId": "accounts at Instagram are shown by `svc` alone",
    "PushMessage.quoteId": "`quote(id:)` shows it",
    "Decision.contactId": "asked of a message or a contact, which hangs around it",
    "Decision.messageId": "asked of a message, which hangs around it",
    "IssuedApiKey.createdById": OF_A_NODE,
    "IssuedApiKey.replacedById": OF_A_NODE,
    "JourneyTrigger.listId": "inside of what was sent in",
    "JourneyTrigger.segmentId": "inside of what was sent in",
    "MessageEntry.journeyStepId": "steps are no records",
    "MessageOrigin.journeyRunId": "`journeyRun` of the message",
    "MessageOrigin.smppAccountId": "`smppAccount` of the message",
    "MessageStatsPoint.numberId": "a sum by number",
    "PassedStage.etapaId": "inside of a line of the history",
    "RegisteredPushDevice.contactId": OF_A_NODE,
    "RevokedApiKey.createdById": OF_A_NODE,
    "RevokedApiKey.replacedById": OF_A_NODE,
    "SampleVerdict.deliveryId": "a sample is not in the log",
    "SentEmail.contactId": OF_A_SEND,
    "SentSms.contactId": OF_A_SEND,
    "SentSms.quoteId": OF_A_SEND,
    "UnknownContacts.contactIds": UNKNOWN,
    "UnknownMembers.contactIds": UNKNOWN,
}
"""Ids without a record beside them, and why. It only gets shorter."""

NO_NODES: Mapping[str, str] = {
    "Actor": "of any kind, or none",
    "ApiKeyWebhook": "what is shown of a webhook with the key that it was made with",
    "CardMove": "`card` is the node",
    "ClickEntry": OF_AN_ENTRY,
    "ConsentEntry": OF_AN_ENTRY,
    "CustomerEventEntry": OF_AN_ENTRY,
    "DebtorGroup": "a sum",
    "Decision": "of a message it has the message's id",
    "Deleted": "what is gone",
    "ProviderReceipt": "of the carrier: its id is none of ours",
    "EmailSuppression": "its id is a hash without a prefix",
    "SmppBindChange": "what is told over a socket is not kept for `node`",
    "Event": "what is told over a socket is not kept for `node`",
    "IgnoredMessage": "what is said of a message",
    "IssuedApiKey": OF_A_NODE,
    "JourneyStep": "a part of its journey",
    "MessageEntry": OF_AN_ENTRY,
    "NextActivity": "what is shown of an activity with its card",
    "NumberHealth": "what is said of a number",
    "OptedOutPushDevice": OF_A_NODE,
    "OwnCredential": "a key or a session",
    "PushEntry": OF_AN_ENTRY,
    "RegisteredPushDevice": OF_A_NODE,
    "RequestedEmailSender": OF_A_NODE,
    "RevealedSecret": OF_A_NODE,
    "RevokedApiKey": OF_A_NODE,
    "SentEmail": OF_A_SEND,
    "SentSms": OF_A_SEND,
    "SmppBind": "there while it is open, known by a number",
    "SmppCredentials": "what is told once of an account, which smppAccount shows",
    "SmppDelivery": "its id is that of the message",
    "StageMoveEntry": OF_AN_ENTRY,
    "WalletTransfer": "its id is a number of the book",
}
"""Types with an id that are no nodes, and why. It only gets shorter."""


def objects() -> Iterator[GraphQLObjectType]:
    for type in graphql_schema.type_map.values():
        if isinstance(type, GraphQLObjectType) and not type.name.startswith("__"):
            yield type


def ids_alone(type: GraphQLObjectType) -> Iterator[str]:
    """The fields of a type that name another record, which it does not show."""
    names = {name.lower() for name in type.fields}
    for name, field in type.fields.items():
        stem = name.removesuffix("Ids").removesuffix("Id")
        if (
            stem != name
            and is_leaf_type(get_named_type(field.type))
            and name not in NOT_OURS | {OWN}
            and not {stem.lower(), f"{stem.lower()}s"} & names
        ):
            yield f"{type.name}.{name}"


def test_an_id_has_its_record_beside_it() -> None:
    found = {name for type in objects() for name in ids_alone(type)}
    assert sorted(found - IDS_ALONE.keys()) == [], "declare a relation beside it"
    assert sorted(IDS_ALONE.keys() - found) == [], "take it out here"


def test_a_record_is_a_node() -> None:
    node = graphql_schema.get_type("Node")
    assert isinstance(node, GraphQLInterfaceType)
    found = {type.name for type in objects() if "id" in type.fields and node not in type.interfaces}
    assert sorted(found - NO_NODES.keys()) == [], "let it be a Node, and a kind of KINDS"
    assert sorted(NO_NODES.keys() - found) == [], "take it out here"


# Names of values ----------------------------------------------------------------------------------


def enums() -> Iterator[GraphQLEnumType]:
    for type in graphql_schema.type_map.values():
        if isinstance(type, GraphQLEnumType):
            yield type


def test_the_names_of_values_without_a_line_between_words_are_the_deprecated_ones() -> None:
    old = {
        f"{type.name}.{name}"
        for type in enums()
        for name, value in type.values.items()
        if value.deprecation_reason is not None
    }
    assert old == {
        "AttributeOperator.ISNOT",
        "AttributeOperator.NOTEXISTS",
        "AttributeOperator.STARTSWITH",
        "ContactImportKey.EXTERNALID",
        "RcsButtonKind.OPENURL",
        "SegmentOperator.ISNOT",
        "SegmentOperator.NOTEXISTS",
        "SegmentOperator.NOTIN",
        "SegmentOperator.NOTWITHINDAYS",
        "SegmentOperator.STARTSWITH",
        "SegmentOperator.WITHINDAYS",
        "StageRequirement.DATAPREVISTA",
    }


CREATE = """mutation($operator: SegmentOperator!) { createSegment(input: {name: "Sem VIP", filters: [
  {field: "tag", operator: $operator, value: "vip"}]}) { filters { operator } } }"""


@pytest.mark.usefixtures("clean_slate")
@pytest.mark.parametrize("operator", ["IS_NOT", "ISNOT"])
async def test_either_name_is_taken_and_the_new_one_is_answered(operator: str) -> None:
    shown = await data_of(await a_caller("test"), CREATE, operator=operator)
    assert shown["createSegment"]["filters"] == [{"operator": "IS_NOT"}]


# Exactly one of several ---------------------------------------------------------------------------


@pytest.mark.usefixtures("clean_slate")
async def test_an_input_of_which_one_field_is_sent_says_so() -> None:
    caller = await a_caller("test")
    told = await data_of(caller, "{ __schema { types { name isOneOf } } }")
    assert sorted(one["name"] for one in told["__schema"]["types"] if one["isOneOf"]) == [
        "AdvanceSandboxClockInput",
        "RcsContentInput",
    ]
    for wrong in ('{por: "P1D", passo: PROXIMO}', "{}", '{por: "P1D", ate: null}', "{por: null}"):
        content = await ask(
            caller, f"mutation {{ advanceSandboxClock(input: {wrong}) {{ agora }} }}"
        )
        assert content["errors"], wrong
        assert not (content.get("data") or {}).get("advanceSandboxClock"), wrong


# How many statements ------------------------------------------------------------------------------

CARD = """query($id: ID!) { card(id: $id) {
  createdBy { id } fechadoPor { id } origemMessage { id }
  atividades(first: 5) { nodes { card { id } createdBy { id } message { id } } }
  historico(first: 5) { nodes { por { id } motivoPerda { texto } } }
  arquivos(first: 5) { nodes { card { id } createdBy { id } } } } }"""


@pytest.mark.usefixtures("clean_slate")
async def test_who_did_what_with_a_card_is_one_statement() -> None:
    caller = await a_caller("test")
    card = await (await some_deals(caller)).card()

    async with statements() as asked:
        shown = (await data_of(caller, CARD, id=card["id"]))["card"]

    assert len(asked) == 1
    assert shown["createdBy"] == {"id": caller.account_id}
    assert shown["fechadoPor"] is None
    assert shown["historico"]["nodes"][0]["por"] == {"id": caller.account_id}


# One type for a message ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "message"), [("SentSms", "SmsMessage"), ("SentEmail", "EmailMessage")]
)
def test_what_a_message_has_is_deprecated_in_the_answer_to_its_send(
    sent: str, message: str
) -> None:
    answer, record = graphql_schema.type_map[sent], graphql_schema.type_map[message]
    assert isinstance(answer, GraphQLObjectType)
    assert isinstance(record, GraphQLObjectType)
    kept = {name for name, field in answer.fields.items() if field.deprecation_reason is None}
    assert kept == {"id", "env", "status", "billing", "replayed", "message"}
    assert answer.fields.keys() - kept <= record.fields.keys()
