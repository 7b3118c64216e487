"""Interface: Endpoints, Email; decisions: Email send, sandbox endings, one-click unsubscribing."""

from collections.abc import Awaitable, Callable
from contextlib import suppress as passing_over
from datetime import timedelta

from core import email
from core.email.errors import TooManySenderRequests
from core.email.models import SenderVerification
from core.email.senders.limits import proof_within_limit, request_within_limit
from core.email.senders.request import MAX_WAITING
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from tests.contract.rows.contacts import wrong_recipients
from tests.contract.rows.sms_limits import METADATA, METADATA_TAKES
from tests.contract.table import (
    Answer,
    Before,
    Callback,
    Endpoint,
    Event,
    Limit,
    OtherRoute,
    Page,
    Refusal,
)
from tests.contract.world import World, correlated
from tests.factories.contacts import a_denial_of_email
from tests.factories.emails import a_requested_sender, a_stored_email, an_email
from tests.factories.sms import leave_coins


async def a_queued_email(caller: Caller) -> str:
    """A message of the caller's that waits; a live one as if a relay had been there."""
    if caller.env == "live":
        live = await a_stored_email(caller)
        await db.execute("UPDATE messages SET settle_at = NULL WHERE id = $1", live)
        return live
    id: str = (await an_email(caller, scheduledAt=now() + timedelta(days=1)))["id"]
    return id


async def it_has_left(world: World) -> None:
    id = await world.record("queued email")
    await db.execute("DELETE FROM waiting_messages WHERE message_id = $1", id)
    await db.execute("UPDATE messages SET status = 'sent' WHERE id = $1", id)


async def a_waiting_domain(caller: Caller) -> str:
    """A domain whose record is not there yet."""
    return await a_requested_sender(
        caller, f"@{new_id('loja').lower().replace('_', '-')}.example.com"
    )


async def an_address(caller: Caller) -> str:
    """One that nobody has asked for: an address gets few letters in an hour, whoever asks for them."""
    return f"{new_id('loja').lower()}@example.com"


RECORDS = {
    "email": a_stored_email,
    "queued email": a_queued_email,
    "email sender": a_waiting_domain,
    "address without a letter": an_address,
}
CANCEL = "POST /v2/email/messages/{id}/cancel"
LATER = (now() + timedelta(days=364)).isoformat()

SENDERS, REQUEST = "GET /v2/email/senders", "POST /v2/email/senders"
VERIFY = "POST /v2/email/senders/{id}/verify"
LIST, SEND = "GET /v2/email/messages", "POST /v2/email/messages"

SUPPRESSIONS, LIFT = "GET /v2/email/suppressions", "DELETE /v2/email/suppressions"


async def a_suppression(caller: Caller) -> str:
    """An address that nothing is sent to."""
    await suppress(
        [NewSuppression(caller.organization_id, caller.env, "ana@example.org", "complaint", None)],
        at=now(),
    )
    return "ana@example.org"


async def ana_bounced(world: World) -> None:
    await a_suppression(world.caller)


ENDPOINTS = [
    Endpoint(
        address=LIST,
        scope="email:read",
        errors="400 401 403",
        parameters="status* to* campaignId limit* skip* cursor",
    ),
    Endpoint(
        address=SEND,
        scope="email:send",
        status=201,
        errors="400 401 402 403 409 422 503",
        key="required",
        whole="required",
        fields="to! from subject! html text replyTo headers[] anexos[] categoria trackOpens trackLinks contactId "
        "campaignId metadata quoteId scheduledAt",
        body={"to": "ana@example.org", "subject": "Oi", "text": "Olá"},
        body_limit=20_000_000,
    ),
    Endpoint(
        address=SUPPRESSIONS,
        scope="email:read",
        errors="401 403 422",
        parameters="to* limit* skip* cursor",
    ),
    Endpoint(
        address=LIFT,
        scope="email:send",
        status=204,
        errors="401 403 404 422",
        parameters="to*!",
        query={"to": "ana@example.org"},
        before=ana_bounced,
    ),
    Endpoint(
        address=SENDERS,
        scope="email:read",
        errors="401 403 422",
        parameters="status* limit* skip* cursor",
    ),
    Endpoint(
        address=REQUEST,
        scope="email:send",
        status=201,
        errors="400 401 403 409 422 429",
        fields="address! language",
        body={"address": "@loja.example.com"},
    ),
    Endpoint(
        address="GET /v2/email/senders/{id}",
        scope="email:read",
        errors="401 403 404",
        ids={"id": "<email sender>"},
    ),
    Endpoint(
        address=VERIFY,
        scope="email:send",
        errors="400 401 403 404 409 422 429",
        ids={"id": "<email sender>"},
        fields="code",
        body={},
        optional_body=True,
    ),
    Endpoint(
        address="DELETE /v2/email/senders/{id}",
        scope="email:send",
        status=204,
        errors="401 403 404",
        ids={"id": "<email sender>"},
    ),
    Endpoint(
        address="GET /v2/email/messages/{id}",
        scope="email:read",
        errors="401 403 404",
        ids={"id": "<email>"},
    ),
    Endpoint(
        address=CANCEL,
        scope="email:send",
        errors="401 403 404 409",
        ids={"id": "<queued email>"},
    ),
]


async def no_money(world: World) -> None:
    await leave_coins(world.caller, 9)


async def a_send_with_key_k(world: World) -> None:
    await an_email(world.caller, key="k")


def said_no(channel: str) -> Before:
    async def deny(world: World) -> None:
        await a_denial_of_email(world.caller, "ana@example.org", channel)

    return deny


async def senders_that_wait(world: World, count: int) -> None:
    table = "email_sender_verifications"
    await world.rows("email sender", count, table=table, unique=["address"])


async def a_hundred_wait(world: World) -> None:
    for n in range(MAX_WAITING):
        caller, at = world.caller, now()
        await SenderVerification.create(
            id=new_id("snd"),
            organization_id=caller.organization_id,
            env=caller.env,
            address=f"@d{n}.example.org",
            created_at=at,
            expires_at=at + timedelta(days=1),
            due_at=at + timedelta(days=1),
        )


def none_is_left(within_limit: Callable[[Caller], Awaitable[None]]) -> Before:
    async def use_them_up(world: World) -> None:
        with passing_over(TooManySenderRequests):
            while True:
                await within_limit(world.caller)

    return use_them_up


async def it_has_expired(world: World) -> None:
    ids = [await world.record("email sender")]
    await SenderVerification.filter(id__in=ids).update(expires_at=now() - timedelta(seconds=1))


async def it_is_an_address(world: World) -> None:
    caller = world.caller
    world.records["email sender"] = await a_requested_sender(caller, "loja@example.com")


MARKETING = {"categoria": "marketing"}

REFUSALS = [
    Refusal(
        status=409, address=REQUEST, before=a_hundred_wait, meta={"code": "LIMITE_DE_REMETENTES", "maximo": MAX_WAITING}
    ),
    Refusal(
        status=409, address=REQUEST, env="live", change={"address": "<address without a letter>"},
        meta={"code": "CARTA_NAO_ENVIADA"},
    ),
    Refusal(status=409, address=VERIFY, before=it_has_expired, meta={"code": "VERIFICACAO_EXPIRADA"}),
    Refusal(
        status=422, address=VERIFY, before=it_is_an_address, change={"code": "0123456789abcdef"},
        meta={"code": "CODIGO_INVALIDO"}, wrong={"/code": "CODIGO_INVALIDO"},
    ),
    Refusal(status=422, address=VERIFY, before=it_is_an_address, wrong={"/code": "required"}),
    *(
        Refusal(
            status=429, address=address, before=none_is_left(within_limit), retry_after=True,
            meta={"code": "LIMITE_DE_VERIFICACOES"},
        )
        for address, within_limit in ((REQUEST, request_within_limit), (VERIFY, proof_within_limit))
    ),
    *wrong_recipients(SEND, categoria="marketing"),
    *(
        Refusal(
            status=422, address=address, query={"to": "a***@example.org"}, wrong={"?to": "VALOR_MASCARADO"},
            meta={"code": "VALOR_MASCARADO"},
        )
        for address in (SUPPRESSIONS, LIFT)
    ),
    Refusal(status=404, address=LIFT, query={"to": "bia@example.org"}),
    Refusal(status=400, address=SEND, headers={"Idempotency-Key": ...}, wrong={"#Idempotency-Key": "required"}),
    Refusal(status=400, address=LIST, query={"status": "read"}, wrong={"?status": "not_allowed"}),
    Refusal(
        status=400, address=LIST, query={"to": "a***@example.org"}, wrong={"?to": "VALOR_MASCARADO"},
        meta={"code": "VALOR_MASCARADO"},
    ),
    Refusal(status=402, address=SEND, before=no_money, meta={"saldoCoins": 9, "necessarioCoins": 10}, writes=True),
    Refusal(
        status=409,
        address=SEND,
        before=a_send_with_key_k,
        headers={"Idempotency-Key": "k"},
        change={"subject": "Tchau"},
        meta={"code": "CHAVE_REUTILIZADA"},
    ),
    Refusal(status=409, address=CANCEL, before=it_has_left, meta={"code": "NAO_CANCELAVEL"}),
    *(
        Refusal(
            status=422,
            address=SEND,
            before=said_no(channel),
            change=MARKETING,
            meta={"motivo": "opt_out"},
            wrong={"/to": "opt_out"},
        )
        for channel in ("email", "todos")
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"from": "loja@unverified.test"},
        meta={"motivo": "no_verified_sender"},
        wrong={"/from": "no_verified_sender"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"to": "a***@example.org"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/to": "VALOR_MASCARADO"},
    ),
    Refusal(status=422, address=SEND, change={"text": ...}, wrong={"": "required"}),
    Refusal(status=422, address=SEND, change={"subject": "a\r\nBcc: b@example.org"}, wrong={"/subject": "line_break"}),
    Refusal(status=503, address=SEND, env="live"),
]  # fmt: skip


def an_end(local: str) -> Before:
    """A sandbox letter to a recipient with this ending, until the last thing was told of it."""

    async def sent_and_told(world: World) -> None:
        await an_email(
            world.caller,
            to=f"{local}@example.org",
            text="https://example.com/pedido",
            trackLinks=True,
            **await correlated(world),
        )
        await email.hand_over_due(at=now())
        for _ in range(3):
            await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
            await email.apply_due_reports(at=now())

    return sent_and_told


ABOUT = "id to subject status env metadata contactId campaignId"

EVENTS = [
    Event(name="email.delivered", data=ABOUT, cause=an_end("ana")),
    Event(name="email.bounced", data=f"{ABOUT} reason", cause=an_end("bounce")),
    Event(name="email.complained", data=f"{ABOUT} reason", cause=an_end("complaint")),
    Event(name="email.opened", data=f"{ABOUT} bot", cause=an_end("open")),
    Event(
        name="email.clicked",
        data=f"{ABOUT} bot url clickedAt first userAgent",
        cause=an_end("click"),
    ),
]

A_FILE = {"nome": "a.txt", "tipo": "text/plain", "conteudo": "YQ=="}
A_HEADER = {"key": "X-Pedido", "value": "1"}

LIMITS = [
    Limit(
        address=REQUEST,
        field="/address",
        takes=["@example.com", "Loja@Example.com", "@padaria.são-paulo.example"],
        refuses=[
            ("", "wrong_format"),
            ("loja", "wrong_format"),
            ("@", "wrong_format"),
            ("@localhost", "wrong_format"),
            ("Loja <loja@example.com>", "wrong_format"),
            ("@" + "a." * 120 + "com", "too_long"),
            ("@" + "a" * 254, "too_long"),
        ],
    ),
    Limit(
        address=REQUEST,
        field="/language",
        takes=["pt-BR", "en"],
        refuses=[("pt", "not_allowed")],
    ),
    Limit(address=VERIFY, field="/code", refuses=[("", "too_short"), ("c" * 101, "too_long")]),
    Limit(
        address=SENDERS,
        field="?status",
        takes=["pending", "verified", "expired"],
        refuses=[("revoked", "not_allowed")],
    ),
    Limit(
        address=SEND,
        field="#Idempotency-Key",
        takes=["k", "k" * 255],
        refuses=[("", "wrong_format"), ("k" * 256, "wrong_format")],
    ),
    Limit(
        address=SEND,
        field="/subject",
        takes=["x", "x" * 998],
        refuses=[
            ("", "too_short"),
            ("x" * 999, "too_long"),
            ("a\nb", "line_break"),
            ("a\rb", "line_break"),
        ],
    ),
    *(
        Limit(
            address=SEND,
            field=f"/{part}",
            takes=["x", "x" * 500_000],
            refuses=[("", "too_short"), ("x" * 500_001, "too_long"), ("a\x00", "nul")],
        )
        for part in ("html", "text")
    ),
    Limit(
        address=SEND,
        field="/to",
        takes=["ana@example.org", "Ana.Maria+1@sub.example.org"],
        refuses=[
            ("", "wrong_format"),
            ("ana", "wrong_format"),
            ("a@b.c,d@e.f", "wrong_format"),
            ("a" * 255, "too_long"),
        ],
    ),
    Limit(
        address=SEND,
        field="/from",
        takes=["loja@example.com", "Loja <loja@example.com>", '"Loja, Ltda." <loja@example.com>'],
        refuses=[
            ("Loja", "wrong_format"),
            ("a@b.test\r\nX: y", "wrong_format"),
            ("A\nB <loja@example.com>", "wrong_format"),
            ("x" * 321, "too_long"),
        ],
    ),
    Limit(
        address=SEND,
        field="/replyTo",
        takes=["Ana <ana@example.org>"],
        refuses=[("ana", "wrong_format"), ("a@b.test\r\nBcc: c@d.test", "wrong_format")],
    ),
    Limit(
        address=SEND,
        field="/headers",
        takes=[
            [A_HEADER] * 20,
            [{"key": "References", "value": "<a@b.test>"}],
            [{"key": "X-A", "value": "v" * 900}],
        ],
        refuses=[
            ([A_HEADER] * 21, "too_many"),
            ([{"key": "Bcc", "value": "a@b.test"}], "not_allowed", "/0/key"),
            ([{"key": "X-SVC-Id", "value": "1"}], "not_allowed", "/0/key"),
            ([{"key": "X-A: b\r\nBcc", "value": "1"}], "not_allowed", "/0/key"),
            ([{"key": "X-A", "value": "a\r\nBcc: b"}], "line_break", "/0/value"),
            ([{"key": "X-A", "value": ""}], "too_short", "/0/value"),
            ([{"key": "X-A", "value": "v" * 901}], "too_long", "/0/value"),
        ],
    ),
    Limit(
        address=SEND,
        field="/anexos",
        takes=[[A_FILE] * 10],
        refuses=[
            ([A_FILE] * 11, "too_many"),
            ([{**A_FILE, "conteudo": "%"}], "wrong_format", "/0/conteudo"),
            ([{**A_FILE, "conteudo": ""}], "too_short", "/0/conteudo"),
            ([{**A_FILE, "tipo": "text"}], "wrong_format", "/0/tipo"),
            ([{**A_FILE, "tipo": "text/plain\r\nX: y"}], "wrong_format", "/0/tipo"),
            ([{**A_FILE, "nome": "a\nb"}], "line_break", "/0/nome"),
            ([{**A_FILE, "nome": "a\r\nb"}], "line_break", "/0/nome"),
            ([{**A_FILE, "nome": "n" * 256}], "too_long", "/0/nome"),
        ],
    ),
    Limit(
        address=SEND,
        field="/categoria",
        takes=["transacional", "marketing"],
        refuses=[("otp", "not_allowed")],
    ),
    Limit(address=SEND, field="/metadata", takes=METADATA_TAKES, refuses=METADATA),
    Limit(
        address=SEND,
        field="/contactId",
        takes=["<contact>"],
        refuses=[("", "too_short"), ("c" * 31, "too_long")],
    ),
    Limit(
        address=SEND,
        field="/scheduledAt",
        takes=["2020-01-01T00:00:00Z", LATER],
        refuses=[("2999-01-01T12:00:00Z", "too_large"), ("tomorrow", "wrong_format")],
    ),
    Limit(
        address=SEND,
        field="/campaignId",
        takes=["c" * 80],
        refuses=[("", "too_short"), ("c" * 81, "too_long")],
    ),
    Limit(
        address=LIST,
        field="?status",
        takes=["queued", "sent", "delivered", "bounced", "complained", "failed"],
        refuses=[("read", "not_allowed"), ("sending", "not_allowed")],
    ),
    *(
        Limit(
            address=address,
            field="?to",
            takes=["ana@example.org"],
            refuses=[("ana", "wrong_format")],
        )
        for address in (LIST, SUPPRESSIONS, LIFT)
    ),
]


async def many_bounced(world: World, count: int) -> None:
    owner = (world.caller.organization_id, world.caller.env)
    addresses = [
        NewSuppression(*owner, f"ana{n}@example.org", "complaint", None) for n in range(count)
    ]
    await suppress(addresses, at=now())


PAGES = [
    Page(address=LIST, fill=lambda world, count: world.rows("email", count, table="messages")),
    Page(address=SUPPRESSIONS, fill=many_bounced),
    Page(address=SENDERS, fill=senders_that_wait),
]

ANSWERS = [
    Answer(
        address=REQUEST,
        tells={
            "address": "@loja.example.com",
            "method": "dns",
            "status": "pending",
            "txtName": "_svc-sender.loja.example.com",
        },
    ),
    Answer(
        address=REQUEST,
        change={"address": "Loja@Example.com"},
        tells={"address": "loja@example.com", "method": "email", "status": "pending"},
    ),
    Answer(address=VERIFY, tells={"status": "verified", "method": "dns"}),
    Answer(address=SEND, change={"scheduledAt": LATER}, tells={"status": "queued"}),
    Answer(address=CANCEL, tells={"status": "failed", "reason": "canceled"}),
    Answer(
        address=SEND,
        tells={
            "env": "test",
            "status": "queued",
            "from": "no-reply@sandbox.test",
            "bodyBytes": 4,
            "replayed": False,
            "billing/coins": 10,
        },
    ),
    Answer(
        address=SEND,
        before=an_end("bounce"),
        change={"to": "bounce@example.org"},
        tells={"status": "failed", "reason": "suppressed", "billing/coins": 0},
    ),
    Answer(address=SEND, before=said_no("email"), tells={"status": "queued"}),
    Answer(address=SEND, before=said_no("sms"), change=MARKETING, tells={"status": "queued"}),
]

CALLBACKS = [
    Callback(
        path="/providers/smtp/{organization_id}/feedback",
        header="X-Smtp-Signature",
        item={"id": "<email>", "status": "bounced", "reason": "invalid_address"},
        bad_item={"id": "5511987650005", "status": "bounced"},
    )
]

OTHER_ROUTES = [
    OtherRoute(path="/o/{token}", example="/o/0", media="image/gif"),
    OtherRoute(path="/u/{token}", example="/u/0", status=404, media="text/html", posts=True),
]
