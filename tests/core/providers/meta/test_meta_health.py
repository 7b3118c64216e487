"""How the platform sees a number."""

import pytest

from core.providers.platform import (
    ConversationPlatform,
    PlatformHealth,
    SenderAccount,
    UpstreamError,
)
from tests.core.providers.meta.recorded_shapes import answer
from tests.fakes.graph import FakeGraph, says

NUMBER = "106540352242922"
PROFILE = f"{NUMBER}/whatsapp_business_profile"


async def test_a_number_is_seen_in_the_interfaces_words(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("GET", NUMBER, says(answer("health")))
    graph.at("GET", PROFILE, says(answer("profile")))

    assert await platform.health(number) == PlatformHealth(
        connected=True,
        flagged=False,
        quality_rating="yellow",
        messaging_tier="tier_10k",
        verified_name="Loja Exemplo",
        name_status="approved",
        profile={
            "about": "Aberto das 9 às 18",
            "address": "Rua de Exemplo, 1",
            "email": "loja@example.com",
            "website": "https://loja.example.com/",
            "vertical": "RETAIL",
            "profilePictureUrl": "https://pps.whatsapp.net/exemplo.jpg",
        },
        throughput="standard",
        can_send=True,
        problems=(
            {"codigo": "141010", "mensagem": "The WABA is not verified.", "gravidade": "media"},
        ),
    )
    assert all(seen.proven for seen in graph.seen)
    assert "quality_rating" in graph.seen[0].query["fields"].split(",")


async def test_what_the_platform_does_not_tell_is_unknown(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    """The profile cannot be read, and the number is banned."""
    graph.at("GET", NUMBER, says(answer("health_banned")))
    assert await platform.health(number) == PlatformHealth(
        connected=False,
        flagged=True,
        quality_rating="red",
        messaging_tier=None,
        verified_name=None,
        name_status="rejected",
        profile=None,
        throughput=None,
        can_send=False,
    )


@pytest.mark.parametrize(
    ("status", "connected", "flagged"),
    [
        ("CONNECTED", True, False),
        ("FLAGGED", True, True),
        ("RESTRICTED", True, True),
        ("RATE_LIMITED", True, False),
        ("DISCONNECTED", False, False),
        ("PENDING", False, False),
        ("UNHEARD_OF", False, False),
    ],
)
async def test_a_status_means(
    graph: FakeGraph,
    platform: ConversationPlatform,
    number: SenderAccount,
    *,
    status: str,
    connected: bool,
    flagged: bool,
) -> None:
    graph.at("GET", NUMBER, says({"status": status, "id": NUMBER}))
    health = await platform.health(number)
    assert (health.connected, health.flagged, health.can_send) == (connected, flagged, connected)


async def test_a_number_that_the_platform_does_not_know_is_gone(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("GET", NUMBER, says(answer("not_found"), status=400))
    with pytest.raises(UpstreamError) as failed:
        await platform.health(number)
    assert (failed.value.code, failed.value.gone, failed.value.retryable) == ("100", True, False)
