"""Values to ask by: those that most of the seeded data have, those that few have, and those that
nobody has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.run_id import run_id_sql

TEXTS = ("Silva", "maria", "+5511", "an", "a", "@example.com", "zzqqzz")
"""A frequent name, a first name, most phones of one city, less than three letters, and what is
nowhere.
"""

MANY = 24
"""Values of a set of which each is asked for."""


class NoSample(LookupError):
    """A parameter that this bench knows no value of: give it one in `bench/questions/samples.py`."""

    def __init__(self, place: str) -> None:
        super().__init__(f"no value to ask {place} by: give it one in bench/questions/samples.py")


@dataclass(frozen=True, slots=True)
class Samples:
    """`ids`: the id of a record with much below it, by the prefix of its kind. `named`: values by
    parameter.
    """

    ids: Mapping[str, str]
    named: Mapping[str, Sequence[Any]]
    span: tuple[datetime, datetime]
    """When the first message was, and the last."""

    def of(self, name: str, place: str) -> Sequence[Any]:
        """The values of a parameter. Raises NoSample."""
        try:
            return self.named[name]
        except KeyError:
            raise NoSample(f"{place} {name}") from None


def some_of(values: Sequence[Any]) -> Sequence[Any]:
    """All values of a small set; of a large one, such as the types of events, some."""
    return values if len(values) <= MANY else values[:: len(values) // 3]


async def read_samples(organization_id: str, env: str) -> Samples:
    """Look into the owner's data for values to ask by."""
    ids = {}
    for prefix, sql in RECORDS.items():
        ids[prefix] = await db.fetchval(sql, organization_id, env) or f"{prefix}_{'0' * 21}"
    span = await db.fetchrow(
        "SELECT min(created_at) AS first, max(created_at) AS last FROM messages "
        "WHERE organization_id = $1 AND env = $2 HAVING count(*) > 0",
        organization_id,
        env,
    )
    assert span is not None, "there are no messages to ask of"
    first: datetime = span["first"]
    last: datetime = span["last"]
    begin, week = wire_time(first + timedelta(hours=5)), wire_time(last - timedelta(days=7))
    days = (
        first.date().isoformat(),
        (last - timedelta(days=1)).date().isoformat(),
        last.date().isoformat(),
    )
    campaigns = [
        row["campaign_id"]
        for row in await db.fetch(
            "SELECT campaign_id, count(*) FROM messages WHERE organization_id = $1 AND env = $2 "
            "AND campaign_id IS NOT NULL GROUP BY 1 ORDER BY 2 DESC",
            organization_id,
            env,
        )
    ]
    phone = (
        await db.fetchval("SELECT phone FROM contacts WHERE id = $1", ids["cnt"])
        or "+5511999990000"
    )
    external_id = (
        await db.fetchval("SELECT external_id FROM contacts WHERE id = $1", ids["cnt"]) or "crm-1"
    )
    request_id = (
        await db.fetchval("SELECT request_id FROM refused_sends WHERE id = $1", ids["dec"])
        or "req_of_a_refusal"
    )
    named: dict[str, Sequence[Any]] = {
        "from": (begin, week),
        "to": (wire_time(last - timedelta(hours=5)), week),
        "since": (begin, week),
        "until": (wire_time(last - timedelta(hours=5)), week),
        "updatedSince": (begin, week),
        "q": TEXTS,
        "tag": ("cliente", "vip", "nobody-has-it"),
        "campaignId": tuple(
            dict.fromkeys((campaigns or ["none"])[:1] + (campaigns or ["none"])[-1:] + ["none"])
        ),
        "contactId": (ids["cnt"],),
        "contatoId": (ids["cnt"],),
        "companyId": (ids["emp"],),
        "listId": (ids["lst"],),
        "segmentId": (ids["seg"],),
        "numberId": (ids["num"],),
        "batchId": (ids["btc"],),
        "templateId": (ids["tpl"],),
        "pipelineId": (ids["pip"],),
        "etapaId": (ids["etp"],),
        "messageId": (ids["msg"],),
        "inReplyTo": (ids["msg"],),
        "webhookId": (ids["wbh"],),
        "subscription": (ids["wbh"],),
        "responsavelId": (ids["acc"],),
        "sentByAccountId": (ids["acc"],),
        "actorId": (ids["acc"],),
        "appId": ("loja",),
        "subjectId": (ids["cnt"],),
        "accountId": (ids["acc"], ids["smp"]),
        "requestId": (request_id, "req_nobody_sent_it"),
        "parteDe": (ids["msg"],),
        "passo": ("inicio",),
        "externalId": (external_id,),
        "origin": (ids["msg"],),
        "action": ("contact.created", "data.seeded"),
        "name": ("compra", "nobody-did-it"),
        "event": ("sms.delivered",),
        "phone": (phone,),
        "recipient": (phone, "someone@example.com"),
        "segmento": ("Varejo",),
        "valorMin": (0, 1_000_000),
        "valorMax": (1_000, 1_000_000_000),
        "dia": days,
        "previstoDe": days[:1],
        "previstoAte": days[-1:],
        "de": days[:1],
        "ate": days[-1:],
        "filename": ("a.txt",),
        "timezone": ("UTC", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Kolkata"),
        "limit": (200,),
        "skip": (10_000,),
    }
    return Samples(ids, named, (first, last))


def _any_of(table: str, more: str = "ORDER BY created_at LIMIT 1") -> str:
    return f"SELECT id FROM {table} WHERE organization_id = $1 AND env = $2 {more}"


def _most_frequent(column: str, table: str) -> str:
    return (
        f"SELECT {column} FROM {table} WHERE organization_id = $1 AND env = $2 AND {column} IS NOT NULL "
        "GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"
    )


RECORDS = {
    "acc": "SELECT id FROM accounts WHERE organization_id = $1 AND $2::text IS NOT NULL LIMIT 1",
    "btc": _any_of("message_batches"),
    "cnt": _most_frequent("contact_id", "messages"),
    "crd": _any_of("cards"),
    "dec": _any_of("refused_sends", "ORDER BY at LIMIT 1"),
    "dlv": _any_of("webhook_deliveries"),
    "emp": _most_frequent("company_id", "contacts"),
    "etp": _most_frequent("stage_id", "cards"),
    "flw": _any_of("flows"),
    "jor": _most_frequent("version_id", "journey_runs"),
    "lst": "SELECT list_id FROM contact_list_members m JOIN contact_lists l ON l.id = m.list_id "
    "WHERE l.organization_id = $1 AND l.env = $2 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1",
    "msg": _any_of("messages", "AND channel = 'sms' ORDER BY created_at LIMIT 1"),
    "num": _most_frequent("number_id", "messages"),
    "pip": _most_frequent("pipeline_id", "cards"),
    "qte": _any_of("quotes"),
    "run": f"SELECT {run_id_sql('id')} FROM journey_runs WHERE organization_id = $1 AND env = $2 LIMIT 1",
    "seg": _any_of("segments", "ORDER BY size DESC NULLS LAST LIMIT 1"),
    "smp": _any_of("smpp_accounts"),
    "tpl": _any_of("templates"),
    "wbh": _most_frequent("subscription_id", "webhook_deliveries"),
}
