"""What would become of a send: the send itself, at an instant, in a dry run."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from pydantic import ValidationError

from core import contacts
from core.channels import PACKAGES
from core.decisions import (
    DecisionChannel,
    DecisionRecord,
    ExplanationRecord,
    RuleOutcome,
    RuleResult,
    SendQuestion,
    SendWay,
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
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import Input
from core.foundation.validation.validation_errors import found_in
from core.messaging import NoSuchContact
from core.read_models import decisions

SEARCHED = timedelta(days=7)
"""How far ahead it is said when a message could leave."""

NOT_REACHED = (Rule.ANSWER, Rule.RECEIPT)
"""What nobody is asked in a dry run."""

New = TypeVar("New", bound=Input)


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
    sender = replace(caller, scopes=caller.scopes | {asked.canal.facts.send})
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


async def _sent(way: SendWay[New], sender: Caller, new: New) -> str:
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
    if record["veredito"] != Verdict.REFUSED:
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
    if one["regra"] in NOT_REACHED and one["resultado"] != RuleOutcome.STOPPED:
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
    address = contact.email if asked.canal.facts.address == "email" else contact.phone
    if address is None:
        raise _wrong("/contactId", "required", "The contact has no address on this channel")
    return address


def _read(way: SendWay[New], asked: SendQuestion, address: str | None) -> New:
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


def _pointer(way: SendWay[New], place: tuple[str | int, ...]) -> str:
    name = str(place[0]) if place else ""
    return f"/{way.renames.get(name, name)}"


def _wrong(pointer: str, code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("pointer", pointer, code, message)])


WAYS: Mapping[DecisionChannel, SendWay[Any]] = {
    DecisionChannel(channel): package.asks
    for package in PACKAGES
    if package.asks is not None
    for channel in package.channels
}

DUE_AT = "SELECT due_at FROM waiting_messages WHERE message_id = $1 AND organization_id = $2"
