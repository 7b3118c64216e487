"""Error catalogue: refusals of conversational messages."""

from core.conversations.errors import NoSuchMessage, UnfitFile, WindowClosed
from core.flows.errors import FlowUnavailable, UnknownFlow
from core.flows.models import FlowStatus
from core.foundation.database.pages import EPOCH
from core.foundation.errors import NotFound
from core.media.errors import MediaNotUsable
from core.messaging import MessageNotCancelable, NoProvider, NoSuchContact, RecipientOptedOut
from core.templates.errors import (
    HeaderFileMissing,
    HeaderLocationMissing,
    InvalidTemplateVariables,
    TemplateUnavailable,
    TemplateVariableMismatch,
    UnknownTemplate,
)
from core.templates.models import TemplateStatus
from rest_api.problems.error_catalogue.batches import BULK
from rest_api.problems.error_doc import ErrorDoc, at

SEND, FORCE = "POST /messages", "POST /messages/force"
SENDS = (SEND, FORCE)

MISSING = (
    ErrorDoc(
        NotFound(),
        "The organization has no number, or no Instagram account, of this id in this environment.",
        "Choose one from `GET /numbers`; a number of the sandbox sends with test keys only.",
        at(*SENDS, BULK),
    ),
)

CONFLICTS = (
    ErrorDoc(
        TemplateUnavailable(TemplateStatus.PAUSED),
        "The template is not approved at this moment; `meta.status` tells what it "
        "is, `meta.substituidoPor` the "
        "version that took its place.",
        "Use the version that replaced it, or wait until it is approved.",
        at(*SENDS, BULK),
    ),
    ErrorDoc(
        FlowUnavailable(FlowStatus.PAUSED, None),
        "The flow that the message opens is paused, or the platform holds it back.",
        "Resume it, or send a message without it.",
        at(*SENDS),
    ),
    ErrorDoc(
        MessageNotCancelable(),
        "The message is being sent, was sent, or is over.",
        "Leave it; what was handed over cannot be called back.",
        at(
            "POST /messages/{id}/cancel",
            "POST /v2/sms/messages/{id}/cancel",
            "POST /v2/rcs/messages/{id}/cancel",
            "POST /v2/email/messages/{id}/cancel",
        ),
    ),
)

INVALID = (
    ErrorDoc(
        WindowClosed(EPOCH),
        "The recipient did not write to this number in the last 24 hours; "
        "`meta.fechouEm` tells when the window "
        "closed, and is absent where the recipient never wrote.",
        "Send an approved template, or wait for the recipient.",
        at(*SENDS),
    ),
    ErrorDoc(
        RecipientOptedOut(),
        (
            "The recipient asked not to receive marketing on this channel or at all, and "
            "the template is marketing."
        ),
        (
            "Do not send it. Templates of the other categories reach everybody; they are "
            "not for advertising."
        ),
        at(*SENDS),
    ),
    ErrorDoc(
        UnknownTemplate("/templateId"),
        "The number has no template of this id.",
        (
            "Templates belong to one number and environment: choose one from `GET "
            "/v2/templates?numberId=`."
        ),
        at(*SENDS, BULK),
    ),
    ErrorDoc(
        TemplateVariableMismatch(2, 1, pointer="/templateVars"),
        "There are more or fewer texts than the template has variables.",
        "Send one for each, in the order of the template's `variaveis`.",
        at(*SENDS),
    ),
    ErrorDoc(
        InvalidTemplateVariables([0], pointer="/templateVars"),
        (
            "A variable is empty, or has a line break, a tab or more than four spaces in "
            "a row: the platform refuses that."
        ),
        "Send some text on one line; what stands on several lines belongs into the template.",
        at(*SENDS),
    ),
    ErrorDoc(
        HeaderFileMissing(),
        "The template's header shows a file, and the message names none.",
        "Upload one and send `payload: {media: {id}}`.",
        at(*SENDS, BULK),
    ),
    ErrorDoc(
        HeaderLocationMissing(),
        "The template's header shows a place, and the message names none.",
        "Send `payload: {location: {latitude, longitude, name, address}}`.",
        at(*SENDS, BULK),
    ),
    ErrorDoc(
        MediaNotUsable(),
        "The file is unknown, expired, or of another number.",
        "Upload it for this number; a file can be used for 30 days.",
        at(*SENDS, BULK),
    ),
    ErrorDoc(
        UnfitFile("/payload/kind"),
        "The file is not of the kind that the message calls it.",
        (
            "Send the kind that the upload answered; `voice` needs mono Ogg/Opus. "
            "Everything may be a document."
        ),
        at(*SENDS),
    ),
    ErrorDoc(
        UnknownFlow("/payload/flowId"),
        "The number has no flow of this id.",
        "Choose one from `GET /v2/flows?numberId=`.",
        at(*SENDS),
    ),
    ErrorDoc(
        NoSuchContact(),
        (
            "There is no contact of this id, or the message leaves from an Instagram "
            "account and has no `to`."
        ),
        "Send `to`, or the id of a contact of this environment.",
        at(*SENDS),
    ),
    ErrorDoc(
        NoSuchMessage(),
        "`replyTo` is no message between this sender and this recipient, or has not left yet.",
        "Answer a message that was received, or one that was sent.",
        at(*SENDS),
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        NoProvider(),
        (
            "No platform is configured for live conversations in this installation. "
            "Nothing was stored."
        ),
        "Use a test key, or have the operator configure one.",
        at(*SENDS),
    ),
)
