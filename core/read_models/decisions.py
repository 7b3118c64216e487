"""Why a message was sent, or why not: the trace of refused sends and of stored messages."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, TypedDict, cast

from core import contacts
from core.decisions import (
    ASKED,
    TEXTS,
    DecisionChannel,
    DecisionFilter,
    DecisionPage,
    DecisionRecord,
    DecisionStep,
    RuleOutcome,
    RuleResult,
    Verdict,
)
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.language import in_language_noted
from core.foundation.records import keys_of
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller, Scope
from core.messaging import Status
from core.read_models.messages import SCOPES as SCOPES_OF_MESSAGES
from core.read_models.query_compiler import SelectedRelation

SCOPES: Mapping[str, Scope] = {
    **{channel.value: scope for channel, scope in SCOPES_OF_MESSAGES.items()},
    "push": Scope.PUSH_READ,
}
"""Who may read the decisions of a channel: whoever reads what is sent on it."""

OF_MONEY = (Rule.BALANCE, Rule.PRICE)
"""What these looked at is shown to who may read the wallet."""

BY_REASON: Mapping[str | None, Rule] = {
    "opt_out": Rule.CONSENT,
    "suppressed": Rule.SUPPRESSION,
    "window_closed": Rule.WINDOW,
    "template_unavailable": Rule.TEMPLATE,
    "number_unavailable": Rule.SENDER,
    "expired": Rule.VALIDITY,
}
"""The rule that stopped a message which never left, by the reason of its failure; else its provider's answer."""

CANCELED = "canceled"
FAILED = (Status.FAILED, Status.UNDELIVERED, Status.BOUNCED, Status.COMPLAINED)
MARKETING_ROUTES = ("premium", "easy_rcs")
"""Of the channels with routes, those on which an opt-out counts."""


Moment = Literal[
    "created_at",
    "scheduled_at",
    "handed_over_at",
    "sent_at",
    "delivered_at",
    "read_at",
    "failed_at",
]


class RefusalRow(TypedDict):
    """A send that was refused."""

    id: str
    channel: str
    rule: str
    code: str
    facts: dict[str, object]
    at: datetime
    contact_id: str | None
    request_id: str | None


class DecidedMessageRow(TypedDict):
    """A message that was to be sent; `due_at` where it still waits."""

    id: str
    channel: str
    status: str
    reason: str | None
    upstream_code: str | None
    contact_id: str | None
    request_id: str | None
    route: str | None
    provider: str | None
    template_id: str | None
    coins: int
    segments: int | None
    attempts: int
    created_at: datetime
    scheduled_at: datetime | None
    due_at: datetime | None
    handed_over_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    read_at: datetime | None
    failed_at: datetime | None


async def list_decisions(caller: Caller, filter: DecisionFilter) -> DecisionPage:
    """A page of the sends that were refused, newest first, on the channels that the caller may read."""
    where = Where.visible_to(caller)
    where.narrow("channel = ANY ({}::text[])", readable_channels(caller))
    for condition, value in (
        ("channel = {}", filter.canal),
        ("rule = {}", filter.regra),
        ("request_id = {}", filter.request_id),
    ):
        if value is not None:
            where.narrow(condition, value)
    if filter.contact_id is not None:
        identities = await _identities_of(caller, filter.contact_id)
        where.narrow(
            "(contact_id = {} OR identity = ANY ({}::bytea[]))", filter.contact_id, identities
        )
    where.narrow_period("at", filter.from_, filter.to)
    if filter.cursor is not None:
        where.narrow("(at, id) < ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM refused_sends WHERE {where} ORDER BY at DESC, id DESC LIMIT {limit + 1}",
        *where.values,
    )
    page: DecisionPage = {
        "items": [_of_refusal(caller, cast(RefusalRow, row)) for row in rows[:limit]]
    }
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(rows[limit - 1]["at"], rows[limit - 1]["id"])
    return page


async def get_decision(caller: Caller, id: str) -> DecisionRecord:
    """The decision about a refused send (`dec_…`) or a stored message (`msg_…`). Raises NotFound."""
    if is_id("msg", id):
        return await get_decision_of_message(caller, id)
    return _of_refusal(caller, cast(RefusalRow, await _found(ONE_REFUSAL, "dec", caller, id)))


async def get_decision_of_message(caller: Caller, id: str) -> DecisionRecord:
    """The decision about a message that was to be sent. Raises NotFound."""
    return _of_message(
        caller, cast(DecidedMessageRow, await _found(ONE_MESSAGE, "msg", caller, id))
    )


async def load_decisions(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> dict[str, object]:
    """The decisions about messages by their ids, every field of each; null of what came in."""
    channels = readable_channels(caller)
    rows = cast(
        "list[DecidedMessageRow]",
        await db.fetch(MESSAGES, caller.organization_id, caller.env, channels, list(ids)),
    )
    decisions = {row["id"]: _with_every_field(_of_message(caller, row)) for row in rows}
    return {id: decisions.get(id) for id in ids}


def _with_every_field(record: DecisionRecord) -> dict[str, object]:
    rules = [dict.fromkeys(keys_of(RuleResult)) | rule for rule in record["regras"]]
    return dict.fromkeys(keys_of(DecisionRecord)) | record | {"regras": rules}


async def _found(statement: str, kind: str, caller: Caller, id: str) -> object:
    channels = readable_channels(caller)
    row = None
    if is_id(kind, id):
        row = await db.fetchrow(statement, caller.organization_id, caller.env, channels, id)
    if row is None:
        raise NotFound
    return row


async def _identities_of(caller: Caller, contact_id: str) -> list[bytes]:
    """The keyed hashes of a contact's phone and e-mail; none where there is no such contact."""
    row = await db.fetchrow(ADDRESSES, caller.organization_id, caller.env, contact_id)
    if row is None:
        return []
    if row["email"] is None:
        return [row["identity"]]
    return [row["identity"], contacts.identity_of_email(caller.organization_id, row["email"])]


def readable_channels(caller: Caller) -> list[str]:
    """The channels that the caller may read. Raises Forbidden when there is none."""
    channels = [channel for channel, scope in SCOPES.items() if caller.may(scope)]
    if not channels:
        raise caller.refusal_without(Scope.SMS_READ)
    return channels


def refused(
    caller: Caller,
    id: str,
    channel: str,
    *,
    rule: Rule,
    code: str,
    facts: dict[str, object],
    at: datetime,
) -> DecisionRecord:
    """The decision about a send that a rule stopped."""
    record = _record(
        caller,
        id,
        channel,
        Verdict.REFUSED,
        at=at,
        ends=(rule, RuleOutcome.STOPPED),
        inputs={rule: facts} if facts else {},
    )
    record["codigo"] = code
    return record


def _of_refusal(caller: Caller, row: RefusalRow) -> DecisionRecord:
    record = refused(
        caller,
        row["id"],
        row["channel"],
        rule=Rule(row["rule"]),
        code=row["code"],
        facts=row["facts"],
        at=row["at"],
    )
    _name_others(record, row)
    return record


def _of_message(caller: Caller, row: DecidedMessageRow) -> DecisionRecord:
    verdict, ends = _end_of(row)
    record = _record(
        caller,
        row["id"],
        row["channel"],
        verdict,
        at=row["created_at"],
        ends=ends,
        inputs=_inputs_of(row),
        passes_over=_passed_over(row),
    )
    record["messageId"] = row["id"]
    record["linha"] = list(_steps(row))
    if row["reason"] is not None:
        record["codigo"] = row["reason"]
    if row["reason"] == CANCELED:
        record["frase"] = in_language_noted("It was canceled before it left.")
    _name_others(record, row)
    return record


def _name_others(record: DecisionRecord, row: RefusalRow | DecidedMessageRow) -> None:
    if row["contact_id"] is not None:
        record["contactId"] = row["contact_id"]
    if row["request_id"] is not None:
        record["requestId"] = row["request_id"]


def _end_of(row: DecidedMessageRow) -> tuple[Verdict, tuple[Rule, RuleOutcome] | None]:
    """What became of a message, and by which rule; None where it arrived, or somebody called it off."""
    left = row["sent_at"] is not None
    if row["status"] in FAILED or row["failed_at"] is not None:
        if left:
            return Verdict.SENT, (Rule.RECEIPT, RuleOutcome.STOPPED)
        if row["reason"] == CANCELED:
            return Verdict.SKIPPED, None
        return Verdict.REFUSED, (BY_REASON.get(row["reason"], Rule.ANSWER), RuleOutcome.STOPPED)
    if row["due_at"] is not None:
        return Verdict.POSTPONED, (_waits_for(row), RuleOutcome.POSTPONED)
    if not left:
        return Verdict.SENT, (Rule.ANSWER, RuleOutcome.POSTPONED)
    told = row["delivered_at"] is not None or row["read_at"] is not None
    return Verdict.SENT, None if told else (Rule.RECEIPT, RuleOutcome.POSTPONED)


def _waits_for(row: DecidedMessageRow) -> Rule:
    """What lets a message wait: its pace on a conversation, else that its time has not come."""
    return Rule.PACING if Rule.PACING in ASKED[row["channel"]] else Rule.VALIDITY


def _passed_over(row: DecidedMessageRow) -> frozenset[Rule]:
    """The rules of its channel that do not concern this message."""
    over = set()
    if row["route"] is not None and row["route"] not in MARKETING_ROUTES:
        over.add(Rule.CONSENT)
    if Rule.TEMPLATE in ASKED[row["channel"]]:
        over.add(Rule.WINDOW if row["template_id"] is not None else Rule.TEMPLATE)
        if row["template_id"] is None:
            over.add(Rule.CONSENT)
    return frozenset(over)


def _inputs_of(row: DecidedMessageRow) -> dict[Rule, dict[str, object]]:
    """What the rules looked at, as far as the message tells."""
    told: dict[Rule, dict[str, object]] = {
        Rule.ROUTE: {"rota": row["route"]},
        Rule.PROVIDER: {"provider": row["provider"]},
        Rule.TEMPLATE: {"templateId": row["template_id"]},
        Rule.PRICE: {"coins": row["coins"], "segments": row["segments"]},
        Rule.ANSWER: {"attempts": row["attempts"], "upstreamCode": row["upstream_code"]},
        Rule.RECEIPT: {"reason": row["reason"] if row["sent_at"] is not None else None},
    }
    known = {
        rule: {name: value for name, value in facts.items() if value is not None}
        for rule, facts in told.items()
    }
    return {rule: facts for rule, facts in known.items() if facts}


def _steps(row: DecidedMessageRow) -> Iterator[DecisionStep]:
    """What happened to a message, the oldest first."""
    times = [(at, event) for column, event in STEPS.items() if (at := row[column]) is not None]
    for at, event in sorted(times, key=lambda step: step[0]):
        yield {"em": wire_time(at), "evento": event}


def _record(
    caller: Caller,
    id: str,
    channel: str,
    verdict: Verdict,
    *,
    at: datetime,
    ends: tuple[Rule, RuleOutcome] | None,
    inputs: Mapping[Rule, dict[str, object]],
    passes_over: frozenset[Rule] = frozenset(),
) -> DecisionRecord:
    rules = _rules(channel, ends)
    results = list(_results(caller, rules, ends, inputs, passes_over))
    record: DecisionRecord = {
        "id": id,
        "veredito": verdict,
        "em": wire_time(at),
        "canal": DecisionChannel(channel),
        "frase": in_language_noted("It passed every rule."),
        "regras": results,
        "linha": [],
    }
    if ends is not None and not _goes_well(ends):
        rule, result = ends
        record["frase"] = _why(rule, result)
        record["regra"] = rule
        record["oQueFazer"] = in_language_noted(TEXTS[rule].to_do)
    return record


def _goes_well(ends: tuple[Rule, RuleOutcome]) -> bool:
    """Whether nothing is to be done: it is on its way, and what became of it will be told."""
    return ends[1] is RuleOutcome.POSTPONED and ends[0] in (Rule.ANSWER, Rule.RECEIPT)


def _rules(channel: str, ends: tuple[Rule, RuleOutcome] | None) -> tuple[Rule, ...]:
    """The rules that the channel asks; one that only a wait knows stands before the provider's answer."""
    asked = ASKED[channel]
    if ends is None or ends[0] in asked:
        return asked
    place = asked.index(Rule.ANSWER)
    return (*asked[:place], ends[0], *asked[place:])


def _results(
    caller: Caller,
    rules: tuple[Rule, ...],
    ends: tuple[Rule, RuleOutcome] | None,
    inputs: Mapping[Rule, dict[str, object]],
    passes_over: frozenset[Rule],
) -> Iterator[RuleResult]:
    reached = True
    for rule in rules:
        if not reached or rule in passes_over:
            yield {"regra": rule, "resultado": RuleOutcome.NOT_ASKED}
            continue
        result = RuleOutcome.PASSED
        if ends is not None and rule is ends[0]:
            result = ends[1]
            reached = False
        one: RuleResult = {"regra": rule, "resultado": result, "porque": _why(rule, result)}
        if rule in inputs and (rule not in OF_MONEY or caller.may(Scope.WALLET_READ)):
            one["entradas"] = inputs[rule]
        yield one


def _why(rule: Rule, result: RuleOutcome) -> str:
    texts = TEXTS[rule]
    if result is RuleOutcome.PASSED:
        return in_language_noted(texts.passes)
    if result is RuleOutcome.POSTPONED and rule in WAITS:
        return in_language_noted(WAITS[rule])
    return in_language_noted(texts.stops)


WAITS: Mapping[Rule, str] = {
    Rule.VALIDITY: "It waits for the time that it was asked for.",
    Rule.ANSWER: "It is being handed over.",
    Rule.RECEIPT: "No delivery has been reported yet.",
}
"""What a rule says of a message that waits, where that is not what it says of one that it stops."""

STEPS: Mapping[Moment, str] = {
    "created_at": "aceita",
    "scheduled_at": "agendada_para",
    "handed_over_at": "entregue_ao_provedor",
    "sent_at": "enviada",
    "delivered_at": "entregue",
    "read_at": "lida",
    "failed_at": "falhou",
}
"""What happened to a message, by the column that has its time."""

ADDRESSES = """
SELECT identity, email FROM contacts WHERE organization_id = $1 AND env = $2 AND id = $3
"""

ONE_REFUSAL = """
SELECT * FROM refused_sends
WHERE organization_id = $1 AND env = $2 AND channel = ANY ($3::text[]) AND id = $4
"""

OF_MESSAGES = """
SELECT m.*, w.due_at FROM messages m LEFT JOIN waiting_messages w ON w.message_id = m.id
WHERE m.organization_id = $1 AND m.env = $2 AND m.channel = ANY ($3::text[])
  AND m.direction = 'outbound' AND m.id ="""

ONE_MESSAGE = f"{OF_MESSAGES} $4"
MESSAGES = f"{OF_MESSAGES} ANY ($4::text[])"
