"""Reading a number's health from the platform."""

from collections.abc import Iterator

from core.foundation.absent import without_none
from core.foundation.json_values import JsonObject, object_of, objects_of, text_of
from core.providers.meta.errors import code_of
from core.providers.meta.graph import GraphClient
from core.providers.meta.untrusted_json import word_of
from core.providers.meta.webhook.account_notices import NAMES, QUALITIES, tier_of
from core.providers.platform import PlatformHealth, SenderAccount, UpstreamError

FIELDS = (
    "status",
    "quality_rating",
    "whatsapp_business_manager_messaging_limit",
    "verified_name",
    "name_status",
    "throughput",
    "health_status",
)
PROFILE = ("about", "address", "email", "websites", "vertical", "profile_picture_url")

_CONNECTED = ("CONNECTED", "FLAGGED", "RESTRICTED", "RATE_LIMITED")
_FLAGGED = ("FLAGGED", "RESTRICTED")
_GRAVITIES = {"BLOCKED": "alta", "LIMITED": "media"}
MAX_PROBLEMS = 20


async def health_of(graph: GraphClient, sender: SenderAccount) -> PlatformHealth:
    """Two requests, as the profile is a thing of its own there; without it the rest still counts.
    Raises UpstreamError.
    """
    seen = await graph.ask("GET", sender, sender.platform_id, query={"fields": ",".join(FIELDS)})
    status, quality = word_of(seen, "status"), QUALITIES.get(word_of(seen, "quality_rating"))
    health = object_of(seen, "health_status")
    level = text_of(object_of(seen, "throughput"), "level")
    return PlatformHealth(
        connected=status in _CONNECTED,
        flagged=status in _FLAGGED or quality == "red",
        quality_rating=quality,
        messaging_tier=tier_of(seen.get("whatsapp_business_manager_messaging_limit")),
        verified_name=(text_of(seen, "verified_name") or "")[:200] or None,
        name_status=NAMES.get(word_of(seen, "name_status")),
        profile=await _profile(graph, sender),
        throughput=level and level.lower()[:40],
        can_send=status in _CONNECTED and word_of(health, "can_send_message") != "BLOCKED",
        problems=tuple(_problems(health))[:MAX_PROBLEMS],
    )


async def _profile(graph: GraphClient, sender: SenderAccount) -> dict[str, str] | None:
    path = f"{sender.platform_id}/whatsapp_business_profile"
    try:
        answer = await graph.ask("GET", sender, path, query={"fields": ",".join(PROFILE)})
    except UpstreamError:
        return None
    seen = next(iter(objects_of(answer, "data")), {})
    sites = seen.get("websites")
    fields = {
        "about": text_of(seen, "about"),
        "address": text_of(seen, "address"),
        "email": text_of(seen, "email"),
        "website": next((site for site in sites if isinstance(site, str)), None)
        if isinstance(sites, list)
        else None,
        "vertical": text_of(seen, "vertical"),
        "profilePictureUrl": text_of(seen, "profile_picture_url"),
    }
    return without_none(fields)


def _problems(health: JsonObject) -> Iterator[dict[str, str]]:
    """What keeps the number, its account, business or app from sending; the platform's texts name
    nobody.
    """
    for entity in objects_of(health, "entities"):
        gravity = _GRAVITIES.get(word_of(entity, "can_send_message"))
        if gravity is None:
            continue
        for error in objects_of(entity, "errors"):
            yield {
                "codigo": code_of(error.get("error_code")) or word_of(entity, "entity_type")[:40],
                "mensagem": (
                    text_of(error, "error_description") or "The platform does not say why."
                )[:500],
                "gravidade": gravity,
            }
