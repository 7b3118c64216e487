"""What would become of a send: the send itself, at an instant, in a dry run."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from core import contacts, conversations, email, rcs, sms
from core.decisions import (
    DecisionChannel,
    DecisionRecord,
    ExplanationRecord,
    RuleOutcome,
    RuleResult,
    SendQuestion,
    Verdict,
    code_of,
    facts_of,
)
from core.foundation.clock import clock_set_to, now, wire_time
from core.foundation.database import db
from core.foundation.database.dry_runs import DryRunBusy, dry_run
from core.foundation.errors import FieldError, Internal, ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.rules import Rule
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import Input
from core.foundation.validation.validation_errors import found_in
from core.messaging import NoSuchContact
from core.read_models import decisions

SEARCHED = timedelta(days=7)
"""How far ahead it is said when a message could leave."""

NOT_REACHED = (Rule.ANSWER, Rule.RECEIPT)
"""What nobody is asked in a dry run."""

New = TypeVar("New", bound=Input)


@dataclass(frozen=True, slots=True)
class _Way(Generic[New]):
    """How a channel sends, and how it names what is asked about it.

    `renames`: the names of its input, by those of the question.
    """

    scope: Scope
    takes: type[New]
    send: Callable[[Caller, New, str], Awaitable[Mapping[str, object]]]
    fields: Callable[[SendQuestion, str | None], dict[str, object]]
    renames: Mapping[str, str]


async def explain_send(caller: Caller, asked: SendQuestion) -> ExplanationRecord:
    """What would become of a send, rule by rule, and when it could leave. Nothing is done.

    Whoever may read the channel may ask, whether or not it may send. Raises Forbidden,
    ValidationFailed, NoSuchContact and DryRunBusy.
    """
    caller.require(decisions.SCOPES[asked.canal])
    way = WAYS.get(asked.canal)
    if way is None:
        raise _wrong("/canal", "not_allowed", "Ask about a channel that writes to one recipient")
    new = _read(way, asked, await _address_of(caller, asked))
    at = asked.em or now()
    sender = replace(caller, scopes=caller.scopes | {way.scope})
    try:
        with clock_set_to(at):
            async with dry_run(caller, counted=False):
                id = await _sent(way, sender, new)
                return await _of_message(caller, id, at)
    except (DryRunBusy, Internal):
        raise
    except ServiceError as refusal:
        if refusal.rule is None:
            raise
        return _of_refusal(caller, asked.canal, refusal, at)
    finally:
        rate_limit.note(None)  # what is left for real sends is no limit of questions


async def _sent(way: _Way[New], sender: Caller, new: New) -> str:
    """The message that is stored, also where its send is refused. Raises what stores none."""
    try:
        record = await way.send(sender, new, new_id("exp"))
    except ServiceError as refusal:
        stored: str | None = refusal.meta.get("messageId")
        if stored is None:
            raise
        return stored
    return str(record["id"])


async def _of_message(caller: Caller, id: str, at: datetime) -> ExplanationRecord:
    """What a message tells that was stored."""
    due_at = await db.fetchval(DUE_AT, id, caller.organization_id)
    record = _explained(await decisions.get_decision_of_message(caller, id), at)
    if record["veredito"] is not Verdict.REFUSED:
        _tell_when(record, due_at or at, at)
    return record


def _of_refusal(
    caller: Caller, channel: DecisionChannel, refusal: ServiceError, at: datetime
) -> ExplanationRecord:
    assert refusal.rule is not None
    code, facts = code_of(refusal), facts_of(refusal)
    record = _explained(
        decisions.refused(caller, "", channel, rule=refusal.rule, code=code, facts=facts, at=at), at
    )
    if refusal.rule is Rule.CEILING and refusal.retry_after is not None:
        _tell_when(record, at + timedelta(seconds=refusal.retry_after), at)
    return record


def _explained(decision: DecisionRecord, at: datetime) -> ExplanationRecord:
    record: ExplanationRecord = {
        "veredito": decision["veredito"],
        "em": wire_time(at),
        "canal": decision["canal"],
        "frase": decision["frase"],
        "regras": [_as_asked(one) for one in decision["regras"]],
    }
    if "codigo" in decision:
        record["codigo"] = decision["codigo"]
    if "regra" in decision and "oQueFazer" in decision:
        record["regra"] = decision["regra"]
        record["oQueFazer"] = decision["oQueFazer"]
    return record


def _as_asked(one: RuleResult) -> RuleResult:
    """What only a provider says was asked of nobody."""
    if one["regra"] in NOT_REACHED and one["resultado"] is not RuleOutcome.STOPPED:
        return {"regra": one["regra"], "resultado": RuleOutcome.NOT_ASKED}
    return one


def _tell_when(record: ExplanationRecord, leaves_at: datetime, at: datetime) -> None:
    if leaves_at <= at + SEARCHED:
        record["podeEm"] = wire_time(max(leaves_at, at))


async def _address_of(caller: Caller, asked: SendQuestion) -> str | None:
    """Where the contact is written to on the channel. Raises NoSuchContact, and ValidationFailed
    where it has no such address.
    """
    if asked.contact_id is None:
        return asked.to
    contact = await contacts.Contact.visible_to(caller).get_or_none(id=asked.contact_id)
    if contact is None:
        raise NoSuchContact
    address = contact.email if asked.canal is DecisionChannel.EMAIL else contact.phone
    if address is None:
        raise _wrong("/contactId", "required", "The contact has no address on this channel")
    return address


def _read(way: _Way[New], asked: SendQuestion, address: str | None) -> New:
    """The question as the channel's own input. Raises ValidationFailed, by the question's names."""
    told = {name: value for name, value in way.fields(asked, address).items() if value is not None}
    try:
        return way.takes.model_validate(told)
    except ValidationError as invalid:
        errors = [
            FieldError("pointer", _pointer(way, place), code, said)
            for place, code, said in found_in(invalid)
        ]
        raise ValidationFailed(errors=errors) from None


def _pointer(way: _Way[New], place: tuple[str | int, ...]) -> str:
    name = str(place[0]) if place else ""
    return f"/{way.renames.get(name, name)}"


def _wrong(pointer: str, code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("pointer", pointer, code, message)])


def _sms_fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    return {
        "to": address,
        "contactId": asked.contact_id,
        "body": asked.body or ".",
        "route": asked.rota or "premium",
    }


def _rcs_fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    return {
        "to": address,
        "contactId": asked.contact_id,
        "content": {"text": asked.body or "."},
        "route": asked.rota or "easy_rcs",
    }


def _email_fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    return {
        "to": address,
        "contactId": asked.contact_id,
        "from": asked.from_,
        "subject": ".",
        "text": asked.body or ".",
        "categoria": asked.categoria,
    }


def _conversation_fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    sender = "instagramAccountId" if asked.canal is DecisionChannel.INSTAGRAM else "numberId"
    told: dict[str, object] = {"to": address, "contactId": asked.contact_id, sender: asked.from_}
    if asked.template_id is not None:
        return {
            **told,
            "type": "template",
            "templateId": asked.template_id,
            "templateVars": asked.template_vars,
        }
    return {**told, "type": "text", "payload": {"text": asked.body or "."}}


async def _send_sms(caller: Caller, new: sms.NewSms, key: str) -> Mapping[str, object]:
    return await sms.send_message(caller, new, idempotency_key=key)


async def _send_rcs(caller: Caller, new: rcs.NewRcs, key: str) -> Mapping[str, object]:
    return await rcs.send_message(caller, new, idempotency_key=key)


async def _send_email(caller: Caller, new: email.NewEmail, key: str) -> Mapping[str, object]:
    return await email.send_message(caller, new, idempotency_key=key)


async def _send_conversation(
    caller: Caller, new: conversations.NewMessage, key: str
) -> Mapping[str, object]:
    return await conversations.send_message(caller, new, idempotency_key=key)


_CONVERSATION = _Way(
    Scope.MESSAGES_SEND,
    conversations.NewMessage,
    _send_conversation,
    _conversation_fields,
    {"numberId": "from", "instagramAccountId": "from", "payload": "body"},
)

WAYS: Mapping[DecisionChannel, _Way[Any]] = {
    DecisionChannel.SMS: _Way(
        Scope.SMS_SEND, sms.NewSms, _send_sms, _sms_fields, {"route": "rota"}
    ),
    DecisionChannel.RCS: _Way(
        Scope.RCS_SEND, rcs.NewRcs, _send_rcs, _rcs_fields, {"route": "rota", "content": "body"}
    ),
    DecisionChannel.EMAIL: _Way(
        Scope.EMAIL_SEND, email.NewEmail, _send_email, _email_fields, {"text": "body"}
    ),
    DecisionChannel.WHATSAPP: _CONVERSATION,
    DecisionChannel.INSTAGRAM: _CONVERSATION,
}

DUE_AT = "SELECT due_at FROM waiting_messages WHERE message_id = $1 AND organization_id = $2"
