"""Files on their way up and down: whole, streamed, and only to where they may."""

import hashlib
import tracemalloc
from pathlib import Path

import pytest
from yarl import URL

from core.foundation.http_client import OutboundPolicy, open_client
from core.providers.gateway import open_session
from core.providers.meta import MetaPlatform
from core.providers.meta.graph import GraphClient
from core.providers.platform import ConversationPlatform, SenderAccount, UpstreamError
from tests.core.providers.meta.recorded_shapes import answer
from tests.fakes.graph import SECRET, TOKEN, VERSION, Behaviour, FakeGraph, drops, says, streams

MEDIA = "106540352242922/media"
LARGE = 24 * 1024 * 1024
CONTENT = b"\x89PNG" + bytes(range(256)) * 400


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    return path


def sparse(folder: Path) -> Path:
    """A large file that takes no room."""
    path = folder / "large"
    with path.open("wb") as file:
        file.truncate(LARGE)
    return path


async def test_a_file_is_uploaded_whole_for_a_number(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, file: Path
) -> None:
    graph.at("POST", MEDIA, says({"id": "1003383421387256"}))

    media_id = await platform.upload(number, file, mime_type="image/png", filename="promoção.png")

    assert media_id == "1003383421387256"
    form = graph.last.form
    assert (form["messaging_product"].text, form["type"].text) == ("whatsapp", "image/png")
    assert form["file"].sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert form["file"].headers["Content-Type"] == "image/png"
    assert graph.last.proven


async def test_a_file_is_uploaded_for_an_instagram_account(
    graph: FakeGraph, platform: ConversationPlatform, account: SenderAccount, file: Path
) -> None:
    graph.at(
        "POST", "17841400000000001/message_attachments", says({"attachment_id": "1854626884821032"})
    )

    assert (
        await platform.upload(account, file, mime_type="application/pdf", filename="b.pdf")
        == "1854626884821032"
    )

    form = graph.last.form
    assert (
        form["message"].text == '{"attachment": {"type": "file", "payload": {"is_reusable": true}}}'
    )
    assert form["platform"].text == "instagram"
    assert form["filedata"].size == len(CONTENT)


async def test_memory_stays_flat_however_large_the_file(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, tmp_path: Path
) -> None:
    graph.at("POST", MEDIA, says({"id": "100"}))
    graph.at("GET", "100", says({"url": f"{graph.url}/files/100", "id": "100"}))
    graph.at("GET", "/files/100", streams(LARGE))
    path = sparse(tmp_path)
    tracemalloc.start()
    try:
        await platform.upload(number, path, mime_type="video/mp4", filename="v.mp4")
        size = 0
        async with platform.download(number, "100") as pieces:
            async for piece in pieces:
                size += len(piece)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (size, graph.seen[0].form["file"].size) == (LARGE, LARGE)
    assert peak < LARGE / 4


@pytest.mark.parametrize(
    ("behaviour", "code", "retryable"),
    [
        (says(answer("token"), status=401), "190", False),
        (says(answer("throughput"), status=429), "130429", True),
        (says(b"", status=500), "500", True),
        (says(b"<h1>", status=400), "400", False),
        (says({"success": True}), "200", True),
        (says(b"{"), "200", True),
        (drops(), "network", True),
    ],
)
async def test_an_upload_that_fails_says_whether_another_may_not(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, file: Path, *, behaviour: Behaviour, code: str,
    retryable: bool,
) -> None:  # fmt: skip
    graph.at("POST", MEDIA, behaviour)
    with pytest.raises(UpstreamError) as failed:
        await platform.upload(number, file, mime_type="image/png", filename="a.png")
    assert (failed.value.code, failed.value.retryable) == (code, retryable)


# Down ----------------------------------------------------------------------------------------------


async def fetched(platform: ConversationPlatform, sender: SenderAccount, media_id: str) -> bytes:
    async with platform.download(sender, media_id) as pieces:
        return b"".join([piece async for piece in pieces])


async def test_a_file_comes_in_two_steps_with_the_token_at_both(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at(
        "GET",
        "100",
        says({"url": f"{graph.url}/files/100", "mime_type": "image/jpeg", "id": "100"}),
    )
    graph.at("GET", "/files/100", streams(200_000))

    assert await fetched(platform, number, "100") == b"x" * 200_000

    asked, loaded = graph.seen
    assert asked.proven
    assert asked.query["phone_number_id"] == "106540352242922"
    assert loaded.headers["Authorization"] == f"Bearer {TOKEN}"


async def test_the_token_is_not_told_to_an_address_that_came_with_a_message(
    graph: FakeGraph, platform: ConversationPlatform, account: SenderAccount
) -> None:
    graph.at("GET", "/cdn/2", streams(10))
    assert await fetched(platform, account, f"{graph.url}/cdn/2") == b"x" * 10
    assert "Authorization" not in graph.last.headers


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:1/file",
        "https://169.254.169.254/file",
        "https://example.com:22/file",
        "https://a:b@example.com/file",
        "file:///etc/passwd",
        "x",
    ],
)
async def test_no_file_is_fetched_from_where_we_must_not_go(
    graph: FakeGraph, number: SenderAccount, account: SenderAccount, address: str
) -> None:
    graph.at("GET", "100", says({"url": address, "id": "100"}))
    url = URL(graph.url)
    async with open_session() as session, open_client(OutboundPolicy()) as outside:
        platform = MetaPlatform(
            GraphClient(url / VERSION, url / VERSION, SECRET, None, session, 0.5), outside
        )
        for sender, media_id in ((number, "100"), (account, address)):
            with pytest.raises(UpstreamError) as failed:
                await fetched(platform, sender, media_id)
            assert (failed.value.code, failed.value.retryable) == ("address", False)


async def test_a_redirect_is_not_followed(
    graph: FakeGraph, platform: ConversationPlatform, account: SenderAccount
) -> None:
    graph.at("GET", "/cdn/2", says(b"", status=302, headers={"Location": f"{graph.url}/cdn/3"}))
    with pytest.raises(UpstreamError):
        await fetched(platform, account, f"{graph.url}/cdn/2")
    assert len(graph.seen) == 1


@pytest.mark.parametrize("status", [404, 410])
async def test_a_file_that_the_platform_no_longer_has_is_gone(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, status: int
) -> None:
    graph.at("GET", "100", says({"url": f"{graph.url}/files/100", "id": "100"}))
    graph.at("GET", "/files/100", says(b"", status=status))
    with pytest.raises(UpstreamError) as failed:
        await fetched(platform, number, "100")
    assert (failed.value.gone, failed.value.retryable) == (True, False)


@pytest.mark.parametrize("media_id", ["101", "../me", "100/../me", "1?fields=x", ""])
async def test_an_id_that_the_platform_does_not_know_is_gone(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, media_id: str
) -> None:
    with pytest.raises(UpstreamError) as failed:
        await fetched(platform, number, media_id)
    assert failed.value.gone
    assert [seen.path for seen in graph.seen] == (["101"] if media_id == "101" else [])


async def test_a_file_that_breaks_off_is_not_taken_for_whole(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("GET", "100", says({"url": f"{graph.url}/files/100", "id": "100"}))
    graph.at("GET", "/files/100", streams(500_000, breaks_off=True))
    with pytest.raises(UpstreamError) as failed:
        await fetched(platform, number, "100")
    assert failed.value.retryable
