"""What leaves for the platform, and what becomes of it for everything that the platform can answer."""

from datetime import timedelta
from email.utils import format_datetime
from typing import Any

import pytest
import structlog
from yarl import URL

from core.foundation.clock import now
from core.foundation.http_client import open_client
from core.providers.gateway import open_session
from core.providers.meta import MetaPlatform
from core.providers.meta.errors import SENTENCES, TEMPORARY, sentence_of
from core.providers.meta.graph import GraphClient
from core.providers.platform import (
    ConversationPlatform,
    OutgoingMessage,
    PlatformAcceptance,
    Rejection,
    SenderAccount,
    SendReply,
    TemporaryFailure,
    UnknownOutcome,
)
from tests.core.providers.meta.conftest import NEAR
from tests.core.providers.meta.recorded_shapes import answer
from tests.fakes.graph import SECRET, TOKEN, VERSION, Behaviour, FakeGraph, drops, hangs, says

ID = "msg_v0486I4sb9qvmbeLF0zLs"
TO = "+5511987650005"

Content = tuple[str, dict[str, Any], dict[str, Any]]
"""The type, our payload, and what leaves."""

SENT = "106540352242922/messages"


def a_message(type: Any = "text", payload: Any = None, **more: Any) -> OutgoingMessage:
    return OutgoingMessage(
        **({"id": ID, "to": TO, "type": type, "payload": payload or {"text": "Olá"}} | more)
    )


@pytest.fixture
def taken(graph: FakeGraph) -> None:
    graph.at("POST", SENT, says(answer("sent")))
    graph.at("POST", "17841400000000001/messages", says(answer("sent_instagram")))


# What leaves ---------------------------------------------------------------------------------------


async def test_a_text_leaves_with_our_id_and_the_platforms_form_of_the_address_comes_back(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, taken: None
) -> None:
    reply = await platform.send(
        number, a_message(payload={"text": "Olá", "previewUrl": True}, reply_to="wamid.theirs")
    )

    assert reply == PlatformAcceptance("wamid.HBgNNTUxMTk4NzY1MDAwNRUCABEYEkE0", "551187650005")
    assert graph.last.body == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": TO,
        "type": "text",
        "text": {"body": "Olá", "preview_url": True},
        "context": {"message_id": "wamid.theirs"},
        "biz_opaque_callback_data": ID,
    }
    assert graph.last.proven
    assert graph.last.headers["Content-Type"] == "application/json"


CONTENTS: list[Content] = [
    (
        "media",
        {"kind": "image", "media": {"id": "100", "caption": "Veja"}},
        {"type": "image", "image": {"id": "100", "caption": "Veja"}},
    ),
    (
        "media",
        {"kind": "audio", "media": {"id": "100", "voice": True}},
        {"type": "audio", "audio": {"id": "100", "voice": True}},
    ),
    (
        "media",
        {"kind": "document", "media": {"id": "100", "caption": "Boleto", "filename": "boleto.pdf"}},
        {
            "type": "document",
            "document": {"id": "100", "caption": "Boleto", "filename": "boleto.pdf"},
        },
    ),
    (
        "media",
        {"kind": "sticker", "media": {"id": "100"}},
        {"type": "sticker", "sticker": {"id": "100"}},
    ),
    (
        "template",
        {
            "name": "pedido_enviado",
            "language": "pt-BR",
            "components": [{"type": "body", "parameters": [{"type": "text", "text": "1042"}]}],
        },
        {
            "type": "template",
            "template": {
                "name": "pedido_enviado",
                "language": {"code": "pt_BR", "policy": "deterministic"},
                "components": [{"type": "body", "parameters": [{"type": "text", "text": "1042"}]}],
            },
        },
    ),
    (
        "interactive",
        {
            "kind": "buttons",
            "header": {"kind": "image", "media": {"id": "100"}},
            "body": "Confirma?",
            "footer": "Loja",
            "buttons": [{"id": "sim", "title": "Sim"}, {"id": "nao", "title": "Não"}],
        },
        {
            "type": "interactive",
            "interactive": {
                "type": "button",
                "header": {"type": "image", "image": {"id": "100"}},
                "body": {"text": "Confirma?"},
                "footer": {"text": "Loja"},
                "action": {
                    "buttons": [
                        {"type": "reply", "reply": {"id": "sim", "title": "Sim"}},
                        {"type": "reply", "reply": {"id": "nao", "title": "Não"}},
                    ]
                },
            },
        },
    ),
    (
        "interactive",
        {
            "kind": "list",
            "header": "Entrega",
            "body": "Escolha",
            "buttonText": "Ver",
            "sections": [{"rows": [{"id": "a", "title": "Expressa", "description": "1 dia"}]}],
        },
        {
            "type": "interactive",
            "interactive": {
                "type": "list",
                "header": {"type": "text", "text": "Entrega"},
                "body": {"text": "Escolha"},
                "action": {
                    "button": "Ver",
                    "sections": [
                        {"rows": [{"id": "a", "title": "Expressa", "description": "1 dia"}]}
                    ],
                },
            },
        },
    ),
    (
        "interactive",
        {
            "kind": "cta_url",
            "header": {"kind": "text", "text": "Pedido"},
            "body": "Acompanhe",
            "buttonText": "Abrir",
            "url": "https://loja.example.com/1042",
        },
        {
            "type": "interactive",
            "interactive": {
                "type": "cta_url",
                "header": {"type": "text", "text": "Pedido"},
                "body": {"text": "Acompanhe"},
                "action": {
                    "name": "cta_url",
                    "parameters": {"display_text": "Abrir", "url": "https://loja.example.com/1042"},
                },
            },
        },
    ),
    (
        "interactive",
        {
            "kind": "flow",
            "body": "Agende",
            "buttonText": "Agendar",
            "flowId": "6627390910605886",
            "screen": "DIA",
            "data": {"loja": "centro"},
            "token": "pedido-1042",
        },
        {
            "type": "interactive",
            "interactive": {
                "type": "flow",
                "body": {"text": "Agende"},
                "action": {
                    "name": "flow",
                    "parameters": {
                        "flow_message_version": "3",
                        "flow_id": "6627390910605886",
                        "flow_cta": "Agendar",
                        "flow_token": "pedido-1042",
                        "flow_action": "navigate",
                        "flow_action_payload": {"screen": "DIA", "data": {"loja": "centro"}},
                    },
                },
            },
        },
    ),
]


@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize(
    "content", CONTENTS, ids=lambda content: content[1].get("kind", content[0])
)
async def test_each_kind_of_message_leaves_in_the_platforms_shape(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, content: Content
) -> None:
    type, payload, sent = content
    assert isinstance(await platform.send(number, a_message(type, payload)), PlatformAcceptance)
    frame = {"messaging_product", "recipient_type", "to", "biz_opaque_callback_data"}
    assert {name: value for name, value in graph.last.body.items() if name not in frame} == sent


INSTAGRAM: list[Content] = [
    ("text", {"text": "Entregamos"}, {"text": "Entregamos"}),
    (
        "media",
        {"kind": "image", "media": {"id": "100"}},
        {"attachment": {"type": "image", "payload": {"attachment_id": "100"}}},
    ),
    (
        "media",
        {"kind": "document", "media": {"id": "100"}},
        {"attachment": {"type": "file", "payload": {"attachment_id": "100"}}},
    ),
    (
        "interactive",
        {"kind": "buttons", "body": "Confirma?", "buttons": [{"id": "sim", "title": "Sim"}]},
        {
            "text": "Confirma?",
            "quick_replies": [{"content_type": "text", "title": "Sim", "payload": "sim"}],
        },
    ),
]


@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize(
    "content", INSTAGRAM, ids=lambda content: content[1].get("kind", content[0])
)
async def test_an_instagram_account_sends_in_the_shape_of_its_channel(
    graph: FakeGraph, platform: ConversationPlatform, account: SenderAccount, content: Content
) -> None:
    type, payload, sent = content
    reply = await platform.send(
        account, a_message(type, payload, to="1254477777772919", reply_to="mid.theirs")
    )

    assert reply == PlatformAcceptance("aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQxNDAwMDAwMDAwMDAx")
    assert graph.last.body == {
        "recipient": {"id": "1254477777772919"},
        "message": sent,
        "reply_to": {"mid": "mid.theirs"},
    }
    assert graph.last.proven


@pytest.mark.parametrize(
    ("type", "payload"),
    [
        ("template", {"name": "oi", "language": "pt-BR", "components": []}),
        ("media", {"kind": "sticker", "media": {"id": "100"}}),
        ("interactive", {"kind": "list", "body": "x", "buttonText": "x", "sections": []}),
    ],
)
async def test_what_instagram_has_nothing_like_is_declined_without_asking(
    graph: FakeGraph,
    platform: ConversationPlatform,
    account: SenderAccount,
    type: str,
    payload: dict[str, Any],
) -> None:
    assert await platform.send(account, a_message(type, payload)) == Rejection(
        "131051", sentence_of("131051")
    )
    assert graph.seen == []


@pytest.mark.parametrize(
    "payload", [{}, {"kind": "unheard of"}, {"kind": "buttons"}, {"kind": "buttons", "body": 7}]
)
async def test_a_payload_of_no_known_form_is_declined_and_stops_nothing(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, payload: dict[str, Any]
) -> None:
    outgoing = OutgoingMessage(ID, TO, "interactive", payload)
    assert isinstance(await platform.send(number, outgoing), Rejection)
    assert graph.seen == []


async def test_a_number_without_a_token_uses_the_installations_and_without_that_sends_nothing(
    graph: FakeGraph, platform: ConversationPlatform, taken: None
) -> None:
    line = SenderAccount(
        "num_v0486I4sb9qvmbeLF0zLs", "whatsapp", "106540352242922", "102290129340398", None
    )
    assert await platform.send(line, a_message()) == Rejection("190", sentence_of("190"))
    assert graph.seen == []

    async with open_session() as session, open_client(NEAR) as outside:
        url = URL(graph.url)
        installed = MetaPlatform(
            GraphClient(url / VERSION, url / VERSION, SECRET, TOKEN, session, 0.5), outside
        )
        assert isinstance(await installed.send(line, a_message()), PlatformAcceptance)
        assert graph.last.proven
        account = SenderAccount(
            "iga_v0486I4sb9qvmbeLF0zLs", "instagram", "17841400000000001", None, None
        )
        assert isinstance(await installed.send(account, a_message()), Rejection)


# What the platform answers -------------------------------------------------------------------------

ANSWERS: list[tuple[str, Behaviour, SendReply]] = [
    ("throughput", says(answer("throughput"), status=429), TemporaryFailure("130429", SENTENCES["130429"])),
    ("throughput as 400", says(answer("throughput"), status=400), TemporaryFailure("130429", SENTENCES["130429"])),
    ("pair", says(answer("pair"), status=400), TemporaryFailure("131056", SENTENCES["131056"], pair=True)),
    ("window", says(answer("window"), status=400), Rejection("131047", SENTENCES["131047"])),
    ("token", says(answer("token"), status=401), Rejection("190", SENTENCES["190"])),
    ("subcode", says(answer("instagram_window"), status=400), Rejection("2534022", SENTENCES["2534022"])),
    ("unknown code", says(answer("unknown_code"), status=400), Rejection("139999", sentence_of("139999"))),
    ("transient", says(answer("transient"), status=400), TemporaryFailure("139998", sentence_of("139998"))),
    ("broken with a code", says(answer("unknown_code"), status=500), TemporaryFailure("139999", sentence_of("139999"))),
    ("overloaded", says(b"", status=503), TemporaryFailure("503", "The platform is overloaded or down.")),
    ("limited by a proxy", says(b"", status=429), TemporaryFailure("429", "The platform is overloaded or down.")),
    ("refused in silence", says(b"<h1>", status=403), Rejection("403", "The platform refused the message without "
     "saying why.")),
    ("moved", says(b"", status=302, headers={"Location": "/elsewhere"}), Rejection("302", "The platform refused the "
     "message without saying why.")),
    ("broken", says(b"<h1>Error</h1>", status=500), UnknownOutcome()),
    ("bad gateway", says(b"", status=502), UnknownOutcome()),
    ("gateway timeout", says(answer("throughput"), status=504), UnknownOutcome()),
    ("unreadable", says(b"{", status=200), UnknownOutcome()),
    ("no id", says({"messages": [{}]}, status=200), UnknownOutcome()),
    ("a list", says([], status=200), UnknownOutcome()),
    ("drops", drops(), UnknownOutcome()),
    ("hangs", hangs(), UnknownOutcome()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("behaviour", "reply"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS]
)
async def test_an_answer_means(
    graph: FakeGraph,
    platform: ConversationPlatform,
    number: SenderAccount,
    behaviour: Behaviour,
    reply: SendReply,
) -> None:
    graph.at("POST", SENT, behaviour)
    assert await platform.send(number, a_message()) == reply
    assert len(graph.seen) == 1


async def test_who_cannot_be_reached_took_nothing(
    number: SenderAccount, unused_tcp_port: int
) -> None:
    async with open_session() as session, open_client(NEAR) as outside:
        url = URL(f"http://127.0.0.1:{unused_tcp_port}")
        away = MetaPlatform(GraphClient(url, url, SECRET, None, session, 0.5), outside)
        assert await away.send(number, a_message()) == TemporaryFailure(
            "network", "The platform could not be reached."
        )
    assert await away.send(number, a_message()) == TemporaryFailure(
        "network", "The platform could not be reached."
    )


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7), ("0", 1), ("999999", 3600), ("soon", None)]
)
async def test_a_pause_that_the_platform_asks_for_is_told(
    graph: FakeGraph,
    platform: ConversationPlatform,
    number: SenderAccount,
    header: str,
    seconds: int | None,
) -> None:
    graph.at("POST", SENT, says(answer("throughput"), status=429, headers={"Retry-After": header}))
    assert await platform.send(number, a_message()) == TemporaryFailure(
        "130429", SENTENCES["130429"], seconds
    )


async def test_a_pause_may_be_a_date(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    until = format_datetime(now() + timedelta(hours=5), usegmt=True)
    graph.at("POST", SENT, says(answer("pair"), status=400, headers={"Retry-After": until}))
    assert await platform.send(number, a_message()) == TemporaryFailure(
        "131056", SENTENCES["131056"], 3600, pair=True
    )


async def test_no_log_line_repeats_a_token_a_phone_or_a_text(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", SENT, says(answer("window"), status=400))
    with structlog.testing.capture_logs() as lines:
        await platform.send(number, a_message(payload={"text": "segredo"}))
    (line,) = lines
    assert line["message_id"] == ID
    assert line["code"] == "131047"
    for secret in ("5511987650005", "segredo", TOKEN, SECRET):
        assert secret not in str(lines)
        assert secret not in repr(platform)
        assert secret not in repr(number)


# The table of codes --------------------------------------------------------------------------------


def test_every_sentence_fits_where_it_is_stored() -> None:
    for code, sentence in SENTENCES.items():
        assert code.isdecimal()
        assert len(code) <= 20
        assert sentence.endswith(".")
        assert len(sentence) <= 200


def test_only_throttles_and_faults_of_the_platform_are_tried_again() -> None:
    assert {"130429", "131056", "80007", "131000", "131016", "2"} <= TEMPORARY
    final = "131047 131026 131051 132000 132001 132012 131049 130472 368 190 131031 131050 131042 133010 100 10"
    assert TEMPORARY.isdisjoint(final.split())
    assert set(final.split()) <= set(SENTENCES)


@pytest.mark.parametrize("code", ["200", "231", "299"])
def test_codes_of_permissions_have_one_sentence(code: str) -> None:
    assert sentence_of(code) == "The access token lacks the permission for this."
