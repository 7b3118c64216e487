"""Why a message was sent, or why not, over GraphQL."""

from datetime import UTC, datetime, timedelta

import pytest

from core.decisions import RefusalCount, RefusedSend
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller, Scope
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.stored_messages import stored_reply
from tests.support.graphql import ask, bare, data_of
from tests.support.sql_tables import put_row
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

DECISION = """query($id: ID!) { decision(id: $id) {
  id veredito canal regra frase oQueFazer codigo regras { regra resultado entradas } linha { evento } } }"""


async def test_a_refused_send_is_told_in_one_statement() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650005")
    with pytest.raises(ServiceError):
        await a_send(caller)
    kept = await RefusedSend.get()

    async with statements() as asked:
        found = (await data_of(caller, DECISION, id=kept.id))["decision"]

    assert len(asked) == 1
    assert (found["veredito"], found["regra"], found["codigo"]) == (
        "RECUSADA",
        "CONSENTIMENTO",
        "opt_out",
    )
    (stopped,) = [one for one in found["regras"] if one["resultado"] == "PAROU"]
    assert stopped["entradas"]["motivo"] == "opt_out"
    assert found["linha"] == []


async def test_a_message_is_told_with_what_happened_since() -> None:
    caller = await a_caller()
    sent = await a_send(caller)

    found = (await data_of(caller, DECISION, id=sent["id"]))["decision"]

    assert (found["veredito"], found["regra"]) == ("ENVIADA", None)
    assert [step["evento"] for step in found["linha"]] == ["aceita", "enviada"]


async def test_anothers_is_not_found() -> None:
    caller, other = await a_caller(), await a_caller()
    sent = await a_send(other)

    assert await data_of(caller, DECISION, id=sent["id"]) == {"decision": None}


OF_MESSAGES = """{ messages(first: 10) { nodes { id direction
  decisao { id veredito regra frase codigo requestId
    regras { regra resultado porque entradas } linha { evento } } } } }"""


async def test_the_messages_of_a_page_tell_their_decisions_in_one_more_statement() -> None:
    caller = await a_caller()
    for _ in range(2):
        await a_send(caller)
    await stored_reply(caller, now())

    async with statements() as asked:
        messages = (await data_of(caller, OF_MESSAGES))["messages"]["nodes"]

    assert len(asked) == 2
    assert len(messages) == 3
    for message in messages:
        alone = (await data_of(caller, DECISION, id=message["id"]))["decision"]
        told = message["decisao"]
        assert (told is None) == (message["direction"] == "INBOUND") == (alone is None)
        if told is not None:
            names = alone.keys() & told.keys() - {"regras"}
            assert {name: told[name] for name in names} == {name: alone[name] for name in names}
            assert [one["regra"] for one in told["regras"]] == [
                one["regra"] for one in alone["regras"]
            ]


async def test_amounts_of_a_message_are_shown_to_who_may_read_the_wallet() -> None:
    caller = await a_caller()
    await a_send(caller)
    reader = bare(caller, Scope.SMS_READ)

    shown = [
        [
            one["entradas"]
            for one in (await data_of(who, OF_MESSAGES))["messages"]["nodes"][0]["decisao"][
                "regras"
            ]
            if one["regra"] == "PRECO"
        ]
        for who in (caller, reader)
    ]

    ((price,), hidden) = shown
    assert (price["coins"], price["volume"], hidden) == (800, 0, [None])


STATS = """query($from: DateTime, $to: DateTime, $groupBy: [DecisionGroup!]) {
  decisionStats(from: $from, to: $to, groupBy: $groupBy) {
    totals { recusadas } points { at regra canal recusadas } } }"""

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
PERIOD = {"from": "2026-01-20T12:00:00Z", "to": "2026-01-22T12:00:00Z"}


async def refusals(caller: Caller, at: datetime, channel: str, rule: Rule, count: int) -> None:
    await put_row(
        RefusalCount,
        organization_id=caller.organization_id,
        env=caller.env,
        minute=at,
        channel=channel,
        rule=rule.value,
        refusals=count,
    )


async def test_refusals_are_counted_by_day_rule_and_channel() -> None:
    caller, other = await a_caller(), await a_caller()
    await refusals(caller, AT - timedelta(minutes=1), "sms", Rule.BALANCE, 100)
    await refusals(caller, AT, "sms", Rule.BALANCE, 1)
    await refusals(caller, AT + timedelta(minutes=1), "rcs", Rule.BALANCE, 2)
    await refusals(caller, AT + timedelta(days=1), "sms", Rule.CONSENT, 3)
    await refusals(caller, AT + timedelta(days=2), "sms", Rule.CONSENT, 100)
    await refusals(other, AT, "sms", Rule.BALANCE, 100)

    plain = (await data_of(caller, STATS, **PERIOD))["decisionStats"]
    grouped = (await data_of(caller, STATS, **PERIOD, groupBy=["REGRA", "CANAL"]))["decisionStats"]

    assert plain["totals"] == grouped["totals"] == {"recusadas": 6}
    assert [(one["at"][:10], one["regra"], one["recusadas"]) for one in plain["points"]] == [
        ("2026-01-20", None, 3), ("2026-01-21", None, 3), ("2026-01-22", None, 0),
    ]  # fmt: skip
    assert len(grouped["points"]) == 9
    assert [
        (one["at"][8:10], one["regra"], one["canal"], one["recusadas"])
        for one in grouped["points"]
        if one["recusadas"]
    ] == [("20", "SALDO", "RCS", 2), ("20", "SALDO", "SMS", 1), ("21", "CONSENTIMENTO", "SMS", 3)]


async def test_what_was_just_refused_is_counted_on_the_channels_that_may_be_read() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650005")
    with pytest.raises(ServiceError):
        await a_send(caller)

    async def counted(who: Caller) -> int:
        found: int = (await data_of(who, STATS))["decisionStats"]["totals"]["recusadas"]
        return found

    assert await counted(caller) == 1
    assert await counted(bare(caller, Scope.EMAIL_READ)) == 0
    refused = await ask(bare(caller, Scope.CONTACTS_READ), STATS)
    assert refused["data"] == {"decisionStats": None}
    assert refused["errors"][0]["extensions"]["code"] == "FORBIDDEN"


LIST = """query($input: DecisionsInput) {
  decisions(input: $input) { nextCursor items { id codigo requestId contactId } } }"""


async def test_refused_sends_are_found_by_request_on_the_channels_that_may_be_read() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_denial(caller, "+5511987650005")
    with pytest.raises(ServiceError):
        await a_send(caller)
    kept = await RefusedSend.get()
    await RefusedSend.filter(id=kept.id).update(request_id="req_of_the_refusal")

    async def found(who: Caller, **input: str) -> list[str]:
        page = (await data_of(who, LIST, input=input))["decisions"]
        assert page["nextCursor"] is None
        return [one["id"] for one in page["items"]]

    assert await found(caller) == [kept.id]
    assert await found(caller, requestId="req_of_the_refusal") == [kept.id]
    assert await found(caller, requestId="req_of_another") == []
    assert await found(caller, canal="EMAIL") == []
    assert await found(bare(caller, Scope.EMAIL_READ)) == []
    assert await found(other) == []
