"""GraphQL says `JSON` only where no closed shape can be said; each such field stands here with the reason."""

from collections.abc import Iterator

from graphql import GraphQLInputObjectType, GraphQLInterfaceType, GraphQLObjectType, get_named_type

from graphql_api.schema import graphql_schema

YOURS = "data of the caller's own, with keys that nobody else knows"
BY_KIND = (
    "its keys depend on a kind beside it: an input is read by the model of the kind, which names each fault by its "
    "place; an answer is shown as it was kept"
)
MAP = "its keys are names that the caller knows, ids of steps or headers: GraphQL has no type for a map"
TYPED_BESIDE = "deprecated: a map as REST has it, and a typed field beside it says the same"
VALUE = "one value: a text, a number, a boolean, a day, or a list of them"
PLATFORM = "a document of the platform, in its own words"

OPEN = {
    YOURS: """
        BulkRecipientInput.metadata Card.atributos Company.atributos CompanyLineInput.atributos Contact.attributes
        ContactLineInput.attributes ConversationMessage.metadata CreateCardInput.atributos
        CreateCompanyInput.atributos CreateContactInput.attributes CustomerEvent.properties
        CustomerEventEntry.properties EmailMessage.metadata ForceMessageInput.metadata Message.metadata
        RcsMessage.metadata RecordCustomerEventInput.properties RehearsedEventInput.properties SendEmailInput.metadata
        SendMessageInput.metadata SendRcsInput.metadata SendSmsInput.metadata SentEmail.metadata SentSms.metadata
        SmsMessage.metadata UpdateCardInput.atributos UpdateCompanyInput.atributos UpdateContactInput.attributes
        UpdateContactInput.attributesMesclar
    """,
    BY_KIND: """
        AuditEntry.facts ConversationMessage.payload CreateJourneyInput.passos Event.data ForceMessageInput.payload
        JourneyStep.config JourneyTrailEntry.fatos ReceiveSandboxMessageInput.payload RuleResult.entradas
        SendMessageInput.payload TemplateComponent.payload TemplateComponentInput.payload UpdateJourneyInput.passos
    """,
    MAP: """
        MigrateJourneyRunsInput.mapa WebhookRequest.headers WebhookSignatureInput.headers
    """,
    TYPED_BESIDE: """
        Journey.metricasPorPasso PriceList.push PriceList.rcs PriceList.sms StepMetrics.pulados
    """,
    VALUE: """
        AttributeFilter.value ContactFieldRecord.exemplo SegmentCondition.value SegmentConditionInput.value
    """,
    PLATFORM: """
        CreateFlowInput.flowJson Flow.flowJson ReceiveSandboxMessageInput.referral UpdateFlowInput.flowJson
    """,
    "an older name of `SmsMessage.providerReceipt`, which is typed; it goes with 2027-12-01": """
        SentSms.providerReceipt
    """,
}
"""This only shrinks: a new field has a type, or a closed set."""

MOST = 59


def fields_of_json() -> Iterator[str]:
    for name, type_ in graphql_schema.type_map.items():
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
            for field, declared in type_.fields.items():
                if get_named_type(declared.type).name == "JSON":
                    yield f"{name}.{field}"
                for argument, of_it in getattr(declared, "args", {}).items():
                    if get_named_type(of_it.type).name == "JSON":
                        yield f"{name}.{field}({argument})"


def test_fields_of_json_say_why() -> None:
    listed = [field for fields in OPEN.values() for field in fields.split()]

    assert sorted(fields_of_json()) == sorted(listed)
    assert len(listed) <= MOST


def test_what_has_a_typed_field_beside_it_says_so() -> None:
    for place in OPEN[TYPED_BESIDE].split():
        type_, field = place.split(".")
        of = graphql_schema.type_map[type_]
        assert isinstance(of, GraphQLObjectType)
        assert of.fields[field].deprecation_reason, place
