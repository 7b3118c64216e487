"""Why a message was sent, or why not: the trace of refused sends and of stored messages."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, TypedDict, cast

import orjson

from core import contacts
from core.decisions import (
    ASKED,
    TEXTS,
    VERSION,
    DecisionChannel,
    DecisionFilter,
    DecisionPage,
    DecisionRecord,
    DecisionStep,
    ExplanationRecord,
    RuleOutcome,
    RuleResult,
    Verdict,
)
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.pages import EPOCH, cursor_after, cut, place_behind
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.language import in_language_noted
from core.foundation.records import WrittenPage, fetch_of, keys_of
from core.foundation.records.json_text import TIME
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller, Scope
from core.messaging import Status
from core.read_models.query_compiler import SelectedRelation

SCOPES: Mapping[str, Scope] = {channel.value: channel.facts.read for channel in DecisionChannel}
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
MARKETING = "marketing"
FAILED = (Status.FAILED, Status.UNDELIVERED, Status.BOUNCED, Status.COMPLAINED)
MARKETING_ROUTES = ("premium", "easy_rcs", "marketing")
"""Of the channels with routes, those on which an opt-out counts; of e-mails, the category."""
OF_AUDIT = ("ip", "credencial")
"""Of a consent, what is shown to who may read the audit trail."""


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
    part_of: str | None
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
    quote_id: str | None
    attempts: int
    decision_facts: dict[str, dict[str, object]] | None
    consent_id: object
    consent_status: str | None
    consent_at: datetime | None
    consent_source: str | None
    consent_ip: str | None
    consent_credential: str | None
    created_at: datetime
    scheduled_at: datetime | None
    due_at: datetime | None
    handed_over_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    read_at: datetime | None
    failed_at: datetime | None


async def list_decisions(caller: Caller, filter: DecisionFilter) -> WrittenPage[DecisionPage]:
    """A page of the sends that were refused, newest first, on the channels that the caller may read."""
    where = Where.visible_to(caller)
    where.narrow("channel = ANY ({}::text[])", readable_channels(caller))
    where.narrow_given(
        ("channel = {}", filter.canal),
        ("rule = {}", filter.regra),
        ("request_id = {}", filter.request_id),
        ("part_of = {}", filter.parte_de),
    )
    if filter.contact_id is not None:
        identities = await _identities_of(caller, filter.contact_id)
        where.narrow(
            "(contact_id = {} OR identity = ANY ({}::bytea[]))", filter.contact_id, identities
        )
    where.narrow_period("at", filter.from_, filter.to)
    if filter.cursor is not None:
        where.narrow("(at, id) < ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    fetch = fetch_of(caller, limit, keeps_plan=filter.is_plain)
    row = await fetch(REFUSALS.format(where=where, limit=limit), *where.values)
    refusals = zip(row["texts"] or (), row["rules"] or (), row["facts"] or (), strict=True)
    items = list(_written(caller, list(refusals)[:limit]))
    more = len(row["texts"] or ()) > limit
    return WrittenPage(items, None, cursor_after(row["last_at"], row["last_id"]) if more else None)


def _written(caller: Caller, refusals: Sequence[tuple[str, str, str]]) -> Iterator[bytes]:
    """Refused sends as JSON, of what PostgreSQL wrote of each: its text, its channel and rule, its
    facts. What is told of its rules is written once for each channel and rule.
    """
    written: dict[str, tuple[bytes, bool, bytes]] = {}
    for text, rule, facts in refusals:
        if rule not in written:
            written[rule] = _rules_written(caller, *rule.split())
        before, is_shown, behind = written[rule]
        inputs = b""
        if is_shown and facts != "{}":
            shown = facts.encode()
            if '"faixas"' in facts:
                shown = orjson.dumps(_shown(orjson.loads(facts)))
            inputs = b',"entradas":%s' % shown
        yield b"%s,%s%s%s}" % (text.encode(), before, inputs, behind)


OF_RULES = ("frase", "regras", "regra", "oQueFazer")
"""What a decision tells of its rules: the same for each channel and rule, but for the facts."""


def _rules_written(caller: Caller, channel: str, rule: str) -> tuple[bytes, bool, bytes]:
    """What is told of the rules of a refused send, before and behind its facts, and whether these are
    shown.
    """
    record = refused(caller, "", channel, rule=Rule(rule), code="", facts={"here": 0}, at=EPOCH)
    told = {key: value for key, value in record.items() if key in OF_RULES}
    whole = orjson.dumps(told)[1:-1]
    before, facts, behind = whole.partition(b',"entradas":{"here":0}')
    return before, bool(facts), behind


async def get_decision(caller: Caller, id: str) -> DecisionRecord:
    """The decision about a refused send (`dec_…`) or a stored message (`msg_…`). Raises NotFound."""
    if is_id("msg", id):
        return await get_decision_of_message(caller, id)
    return of_refusal(caller, cast(RefusalRow, await _found(ONE_REFUSAL, "dec", caller, id)))


async def get_decision_of_message(caller: Caller, id: str) -> DecisionRecord:
    """The decision about a message that was to be sent. Raises NotFound."""
    return of_message(caller, cast(DecidedMessageRow, await _found(ONE_MESSAGE, "msg", caller, id)))


async def load_decisions(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> dict[str, object]:
    """The decisions about messages by their ids, every field of each; null of what came in."""
    channels = readable_channels(caller)
    rows = cast(
        "list[DecidedMessageRow]",
        await db.fetch(MESSAGES, caller.organization_id, caller.env, channels, list(ids)),
    )
    decisions = {row["id"]: with_every_field(of_message(caller, row)) for row in rows}
    return {id: decisions.get(id) for id in ids}


def with_every_field(record: DecisionRecord) -> dict[str, object]:
    """The decision with null for what it lacks, as GraphQL reads it."""
    return dict.fromkeys(keys_of(DecisionRecord)) | record | {"regras": _every_rule(record)}


def explanation_with_every_field(record: ExplanationRecord) -> dict[str, object]:
    """The same of what would be decided."""
    return dict.fromkeys(keys_of(ExplanationRecord)) | record | {"regras": _every_rule(record)}


def _every_rule(record: DecisionRecord | ExplanationRecord) -> list[dict[str, object]]:
    return [dict.fromkeys(keys_of(RuleResult)) | rule for rule in record["regras"]]


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
    part_of: str | None = None,
) -> DecisionRecord:
    """The decision about a send that a rule stopped, or that a send to many passed over."""
    # A journey says so among the facts.
    facts = {**facts}
    passed_over = Verdict.REFUSED if part_of is None else Verdict.SKIPPED
    verdict = Verdict(str(facts.pop("veredito", passed_over)))
    record = _record(
        caller,
        id,
        channel,
        verdict,
        at=at,
        ends=(rule, RuleOutcome.STOPPED),
        inputs={rule: _shown(facts)} if facts else {},
    )
    record["codigo"] = code
    if part_of is not None:
        record["parteDe"] = part_of
    return record


def of_refusal(caller: Caller, row: RefusalRow) -> DecisionRecord:
    """The decision of a stored refusal."""
    record = refused(
        caller,
        row["id"],
        row["channel"],
        rule=Rule(row["rule"]),
        code=row["code"],
        facts=row["facts"],
        at=row["at"],
        part_of=row["part_of"] or cast("str | None", row["facts"].get("journeyId")),
    )
    _name_others(record, row)
    return record


def of_message(caller: Caller, row: DecidedMessageRow) -> DecisionRecord:
    """The decision of a message, of its row in `SELECTED`."""
    verdict, ends = _end_of(row)
    record = _record(
        caller,
        row["id"],
        row["channel"],
        verdict,
        at=row["created_at"],
        ends=ends,
        inputs=_inputs_of(caller, row),
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
        category = _facts_of(row).get(Rule.TEMPLATE, {}).get("categoria", MARKETING)
        if row["template_id"] is None or category != MARKETING:
            over.add(Rule.CONSENT)
    return frozenset(over)


def _facts_of(row: DecidedMessageRow) -> dict[Rule, dict[str, object]]:
    """What was kept beside the message of what its rules looked at."""
    facts = row["decision_facts"] or {}
    return {Rule(rule): _shown(inputs) for rule, inputs in facts.items() if rule != VERSION}


def _shown(facts: Mapping[str, object]) -> dict[str, object]:
    """Facts as they are told: price bands as quotes tell them."""
    shown = {**facts}
    if "faixas" in shown:
        shown["faixas"] = [
            {"segmentos": count, "unitCoins": coins}
            for count, coins in cast("list[tuple[int, int]]", shown["faixas"])
        ]
    return shown


def _consent_of(caller: Caller, row: DecidedMessageRow) -> dict[str, object]:
    """The entry of the consent log that stood when the message was decided, as it was known then."""
    if row["consent_id"] is None:
        return {}
    told: dict[str, object] = {
        "registroId": str(row["consent_id"]),
        "estado": row["consent_status"],
        "em": None if row["consent_at"] is None else wire_time(row["consent_at"]),
        "fonte": row["consent_source"],
        "ip": row["consent_ip"],
        "credencial": row["consent_credential"],
    }
    if not caller.may(Scope.AUDIT_READ):
        told = {name: value for name, value in told.items() if name not in OF_AUDIT}
    return told


def _inputs_of(caller: Caller, row: DecidedMessageRow) -> dict[Rule, dict[str, object]]:
    """What the rules looked at: what the message tells, and what was kept beside it."""
    facts = _facts_of(row)
    told: dict[Rule, dict[str, object]] = {
        Rule.CONSENT: _consent_of(caller, row),
        Rule.ROUTE: {"rota": row["route"]},
        Rule.PROVIDER: {"provider": row["provider"]},
        Rule.TEMPLATE: {"templateId": row["template_id"]},
        Rule.PRICE: {
            "coins": row["coins"],
            "segments": row["segments"],
            "quoteId": row["quote_id"],
        },
        Rule.ANSWER: {"attempts": row["attempts"], "upstreamCode": row["upstream_code"]},
        Rule.RECEIPT: {"reason": row["reason"] if row["sent_at"] is not None else None},
    }
    merged = {rule: {**told.get(rule, {}), **facts.get(rule, {})} for rule in {**told, **facts}}
    known = {
        rule: {name: value for name, value in inputs.items() if value is not None}
        for rule, inputs in merged.items()
    }
    return {rule: inputs for rule, inputs in known.items() if inputs}


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

REFUSALS = f"""
WITH page AS MATERIALIZED (
    SELECT * FROM refused_sends WHERE {{where}} ORDER BY at DESC, id DESC LIMIT {{limit}} + 1)
SELECT array_agg(concat(
           '{{{{"id":"' || id, '","em":"' || {TIME.format("at").replace("{", "{{").replace("}", "}}")}, '","canal":"' || channel,
           '","codigo":' || to_json(code)::text, ',"linha":[],"veredito":' || to_json(coalesce(
               facts->>'veredito', CASE WHEN part_of IS NULL THEN '{Verdict.REFUSED}' ELSE '{Verdict.SKIPPED}' END))::text,
           ',"parteDe":' || to_json(coalesce(nullif(part_of, ''), facts->>'journeyId'))::text,
           ',"contactId":"' || contact_id || '"', ',"requestId":' || to_json(request_id)::text)
           ORDER BY at DESC, id DESC) AS texts,
       array_agg(channel || ' ' || rule ORDER BY at DESC, id DESC) AS rules,
       array_agg((facts - 'veredito')::text ORDER BY at DESC, id DESC) AS facts,
       (array_agg(at ORDER BY at DESC, id DESC))[{{limit}}] AS last_at,
       (array_agg(id ORDER BY at DESC, id DESC))[{{limit}}] AS last_id
FROM page
"""

SELECTED = """
SELECT m.*, w.due_at, k.id AS consent_id, k.status AS consent_status, k.at AS consent_at, k.source AS consent_source,
       k.ip AS consent_ip, k.credential_id AS consent_credential
FROM messages m
LEFT JOIN waiting_messages w ON w.message_id = m.id AND w.organization_id = m.organization_id
LEFT JOIN LATERAL (
    SELECT c.* FROM contact_consents c
    WHERE c.organization_id = m.organization_id AND c.env = m.env AND c.contact_id = m.contact_id
      AND c.created_at <= m.created_at AND c.channel IN (m.channel, 'todos')
    ORDER BY c.created_at DESC, c.id DESC LIMIT 1
) k ON m.contact_id IS NOT NULL
"""

OF_MESSAGES = f"""{SELECTED}
WHERE m.organization_id = $1 AND m.env = $2 AND m.channel = ANY ($3::text[])
  AND m.direction = 'outbound' AND m.id ="""

ONE_MESSAGE = f"{OF_MESSAGES} $4"
MESSAGES = f"{OF_MESSAGES} ANY ($4::text[])"
