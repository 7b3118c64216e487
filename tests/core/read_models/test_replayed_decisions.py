"""The facts that are kept of a decision are enough to come to it once more, whatever changed since."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import contacts
from core.conversations.addresses import identity_of
from core.decisions import MAX_FACTS_BYTES, RULES_VERSION, VERSION, SendQuestion
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import clock_set_to, now, wire_time
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.read_models.decisions import get_decision
from core.read_models.explain_send import explain_send
from core.wallet import rates
from tests.factories.conversations import ANA, a_message
from tests.factories.emails import an_email
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.rcs import an_rcs
from tests.factories.sms import a_send, leave_coins
from tests.factories.templates import a_template

pytestmark = pytest.mark.usefixtures("clean_slate")

EMAIL = "ana@example.org"


@dataclass(frozen=True)
class Circumstances:
    """What the rules look at. `window`: how long ago the recipient wrote; None: never."""

    denied: bool
    suppressed: bool
    coins: int
    volume: int
    window: timedelta | None

    async def hold(self, caller: Caller, number_id: str, *, at: datetime) -> None:
        """Let them be so from now on."""
        owner = (caller.organization_id, caller.env)
        identities = [
            identity_of("whatsapp", caller.organization_id, ANA, unified=True),
            contacts.identity_of_email(caller.organization_id, EMAIL),
        ]
        await db.execute("DELETE FROM contact_denials WHERE organization_id = $1", owner[0])
        if self.denied:
            await db.execute(DENY, *owner, identities, at)
        await db.execute("DELETE FROM email_suppressions WHERE organization_id = $1", owner[0])
        if self.suppressed:
            await suppress([NewSuppression(*owner, EMAIL, "hard_bounce", None)], at=at)
        await leave_coins(caller, self.coins)
        for route in ("premium", "otp"):
            await db.execute(COUNT, owner[0], at.strftime("%Y-%m"), route, self.volume)
        rates.forget_rates(caller.organization_id)
        await db.execute("DELETE FROM conversation_pairs WHERE organization_id = $1", owner[0])
        if self.window is not None:
            await db.execute(WRITE, *owner, number_id, identities[0], at - self.window)


CIRCUMSTANCES = st.builds(
    Circumstances,
    denied=st.booleans(),
    suppressed=st.booleans(),
    coins=st.sampled_from([0, 9, 10, 399, 400, 719, 720, 800, 1_399, 1_400, 100_000]),
    volume=st.sampled_from([0, 9_998, 9_999, 100_000]),
    window=st.none() | st.timedeltas(timedelta(0), timedelta(hours=30)),
)

WAYS = st.sampled_from(
    [
        ("sms", "premium"),
        ("sms", "otp"),
        ("sms", "la_dedicada"),
        ("rcs", "easy_rcs"),
        ("email", "marketing"),
        ("email", "transacional"),
        ("whatsapp", "text"),
        ("whatsapp", "marketing"),
        ("whatsapp", "utility"),
    ]
)
LONG = "Promoção! " * 15


async def send(
    caller: Caller, channel: str, kind: str, number_id: str, template_id: str
) -> Mapping[str, Any]:
    """Send on this way."""
    if channel == "sms":
        return await a_send(caller, to=ANA, route=kind, body=LONG)
    if channel == "rcs":
        return {**await an_rcs(caller, to=ANA, route=kind)}
    if channel == "email":
        return await an_email(caller, to=EMAIL, categoria=kind)
    if kind == "text":
        return await a_message(caller, number_id)
    template: dict[str, Any] = {"templateId": template_id, "templateVars": ["Ana", "1042"]}
    return await a_message(caller, number_id, type="template", payload=..., **template)


def question(channel: str, kind: str, number_id: str, template_id: str) -> dict[str, Any]:
    """The same, as it is asked about."""
    asked: dict[str, Any] = {"canal": channel, "to": EMAIL if channel == "email" else ANA}
    match channel:
        case "sms":
            return {**asked, "rota": kind, "body": LONG}
        case "rcs":
            return {**asked, "rota": kind}
        case "email":
            return {**asked, "categoria": kind, "from": "loja@example.com"}
    if kind == "text":
        return {**asked, "from": number_id}
    return {
        **asked,
        "from": number_id,
        "templateId": template_id,
        "templateVars": ["Ana", "1042"],
    }


def told_by(decision: Any) -> Circumstances:
    """The circumstances as the trace tells them; what it did not look at is as unlike as can be."""
    looked = {one["regra"].value: one.get("entradas", {}) for one in decision["regras"]}
    stopped = decision.get("regra") and decision["regra"].value
    price = looked["preco"]
    window = {**looked.get("janela_24h", {}), **price, **looked["saldo"]}
    return Circumstances(
        denied="negativaId" in looked["consentimento"],
        suppressed=stopped == "supressao",
        coins=looked["saldo"].get("saldoCoins", price.get("coins", 0)),
        volume=price.get("volume", looked["saldo"].get("volume", 0)),
        window=_ago(decision["em"], window.get("janelaAte") or window.get("fechouEm")),
    )


def _ago(at: str, until: str | None) -> timedelta | None:
    if until is None:
        return None
    return datetime.fromisoformat(at) - datetime.fromisoformat(until) + timedelta(hours=24)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(way=WAYS, then=CIRCUMSTANCES, later=CIRCUMSTANCES, hours=st.integers(-2_000, 2_000))
async def test_what_is_kept_of_a_decision_leads_to_it_again(
    way: tuple[str, str], then: Circumstances, later: Circumstances, hours: int
) -> None:
    caller = await a_caller()
    number = await a_number(caller)
    template = await a_template(
        caller,
        number.id,
        status="approved",
        category=way[1] if way[1] in ("marketing", "utility") else "utility",
    )
    at = now().replace(microsecond=0) + timedelta(hours=hours)
    with clock_set_to(at):
        await then.hold(caller, number.id, at=at)
        try:
            sent = await send(caller, *way, number.id, template["id"])
        except ServiceError as refusal:
            id = refusal.decision_id or ""
        else:
            id = sent["id"]
        decision = await get_decision(caller, id)
        await later.hold(caller, number.id, at=at)
    facts = await db.fetchval("SELECT decision_facts FROM messages WHERE id = $1", id)
    if id.startswith("msg_") and decision["veredito"] != "recusada":
        assert facts.pop(VERSION) == RULES_VERSION
        assert facts
    assert len(str(facts)) <= MAX_FACTS_BYTES

    await told_by(decision).hold(caller, number.id, at=at)
    asked = question(*way, number.id, template["id"]) | {"em": decision["em"]}
    answer = await explain_send(caller, SendQuestion.model_validate(asked))

    assert (answer["veredito"], answer.get("regra"), answer.get("codigo")) == (
        decision["veredito"],
        decision.get("regra"),
        decision.get("codigo"),
    )
    assert wire_time(at) == answer["em"] == decision["em"]
    assert _prices(answer) == _prices(decision)


def _prices(decision: Any) -> Any:
    (told,) = [one for one in decision["regras"] if one["regra"] == "preco"]
    return told.get("entradas")


DENY = """
INSERT INTO contact_denials (organization_id, env, identity, channel, denied_at, created_at)
SELECT $1, $2, i, 'todos', $4, $4 FROM unnest($3::bytea[]) AS i
"""

COUNT = """
INSERT INTO sms_volumes (organization_id, env, month, route, accepted) VALUES ($1, 'live', $2, $3, $4)
ON CONFLICT (organization_id, env, month, route) DO UPDATE SET accepted = excluded.accepted
"""

WRITE = """
INSERT INTO conversation_pairs (organization_id, env, sender_id, identity, last_inbound_at)
VALUES ($1, $2, $3, $4, $5)
"""
