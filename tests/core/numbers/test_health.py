"""How a number fares: live, or as last known."""

from collections import OrderedDict
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import numbers
from core.foundation.clock import now, wire_time
from core.foundation.security.caller import Caller
from core.numbers import Number, NumberStatus, health, health_cache
from core.numbers.apply_status import status_after
from core.providers import registry
from core.providers.platform import UpstreamError
from core.webhooks import WebhookEvent
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.fakes.healthy_platform import HEALTHY, Answers

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture
async def live(clean_slate: None) -> Caller:
    return await a_caller("live")


async def test_the_platform_is_asked_and_what_it_says_is_kept(
    live: Caller, platform: Answers
) -> None:
    number = await a_number(
        live, token="EAAG", status="pending", quality_rating="unknown", messaging_tier="tier_250"
    )
    platform.asked.clear()
    problems = [{"codigo": "141000", "mensagem": "No payment method", "gravidade": "alta"}]
    platform.answer = replace(HEALTHY, can_send=False, problems=problems, messaging_tier="tier_1k")

    told = await numbers.get_health(live, number.id)

    assert platform.asked == [(number.id, number.phone_number_id, "EAAG")]
    stored = await numbers.get_number(live, number.id)
    assert told == {
        "id": number.id,
        "status": "connected",
        "qualityRating": "green",
        "messagingTier": "tier_1k",
        "nameStatus": "approved",
        "profile": {"about": "Pedidos e entregas", "vertical": "RETAIL"},
        "podeEnviar": False,
        "problemas": problems,
        "throughput": "standard",
        "verificadoEm": stored["lastMetaSyncAt"],
        "fonte": "ao_vivo",
    }
    for name in ("status", "qualityRating", "messagingTier", "profile"):
        assert stored[name] == told[name]
    assert stored["rateLimit"]["perDay"] == 1_000
    event = await WebhookEvent.get()
    assert (event.type, event.data) == (
        "number.quality_changed",
        {
            "numberId": number.id,
            "from": {"qualityRating": "unknown", "messagingTier": "tier_250"},
            "to": {"qualityRating": "green", "messagingTier": "tier_1k"},
            "env": "live",
        },
    )


@pytest.fixture
def asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if some seconds passed between any two calls."""
    monkeypatch.setattr(health_cache, "MIN_INTERVAL", timedelta(0))


@pytest.mark.usefixtures("asked_each_time")
async def test_what_has_not_changed_is_no_event(live: Caller, platform: Answers) -> None:
    number = await a_number(live)
    await numbers.get_health(live, number.id)
    await WebhookEvent.all().delete()

    await numbers.get_health(live, number.id)

    assert await WebhookEvent.all().count() == 0


@pytest.mark.parametrize(
    ("answer", "code"),
    [(UpstreamError("131000", "Something went wrong"), "131000"), (None, "SEM_RESPOSTA")],
)
async def test_a_platform_that_fails_is_answered_with_what_was_last_known(
    live: Caller,
    platform: Answers,
    monkeypatch: pytest.MonkeyPatch,
    answer: UpstreamError | None,
    code: str,
) -> None:
    seen = now() - timedelta(hours=5)
    number = await a_number(live, last_meta_sync_at=seen, name_status="approved")
    before = await numbers.get_number(live, number.id)
    monkeypatch.setattr(health, "PLATFORM_TIMEOUT", 0)
    platform.answer = answer

    told = await numbers.get_health(live, number.id)

    assert (told["fonte"], told["verificadoEm"], told["podeEnviar"]) == (
        "cache",
        wire_time(seen),
        True,
    )
    assert (told["status"], told["qualityRating"], told["nameStatus"]) == (
        "connected",
        "green",
        "approved",
    )
    assert [problem["codigo"] for problem in told["problemas"]] == [code]
    assert await numbers.get_number(live, number.id) == before


async def test_who_asks_again_at_once_is_told_what_the_platform_said_last(
    live: Caller, platform: Answers
) -> None:
    number, other = await a_number(live), await a_number(live)
    platform.asked.clear()
    problems = [{"codigo": "141000", "mensagem": "No payment method", "gravidade": "alta"}]
    platform.answer = replace(HEALTHY, can_send=False, problems=problems)

    first, second = [dict(await numbers.get_health(live, number.id)) for _ in range(2)]

    assert first.pop("fonte") == "ao_vivo"
    assert second.pop("fonte") == "cache"
    assert (second["podeEnviar"], second["problemas"], second["throughput"]) == (
        False,
        problems,
        "standard",
    )
    assert first == second
    assert (await numbers.get_health(live, other.id))["fonte"] == "ao_vivo"
    assert [id for id, _, _ in platform.asked] == [number.id, other.id]


async def test_a_platform_that_fails_is_not_asked_again_at_once_either(
    live: Caller, platform: Answers
) -> None:
    number = await a_number(live)
    platform.asked.clear()
    platform.answer = UpstreamError("131000", "Something went wrong")

    first, second = [await numbers.get_health(live, number.id) for _ in range(2)]

    assert first == second
    assert [problem["codigo"] for problem in second["problemas"]] == ["131000"]
    assert len(platform.asked) == 1


async def test_what_the_platform_said_counts_until_something_newer_is_learned(
    live: Caller, platform: Answers
) -> None:
    number = await a_number(live)
    platform.answer = replace(HEALTHY, can_send=False)
    assert not (await numbers.get_health(live, number.id))["podeEnviar"]

    await Number.filter(id=number.id).update(last_meta_sync_at=now())  # by another process

    assert (await numbers.get_health(live, number.id))["podeEnviar"]


def test_a_look_is_over_after_some_seconds_or_when_the_clock_is_set_back() -> None:
    at = now()
    cached = health_cache.CachedHealth(asked_at=at)

    assert health_cache.CachedHealth().is_over(at)
    assert [
        cached.is_over(at + health_cache.MIN_INTERVAL * part) for part in (-0.1, 0, 0.9, 1)
    ] == [
        True,
        False,
        False,
        True,
    ]


def test_only_so_many_numbers_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_cache, "MAX_CACHED_NUMBERS", 2)
    monkeypatch.setattr(health_cache, "_cache", OrderedDict())
    seen = [health_cache.cached_health(Number(id=id)) for id in ("a", "b", "a", "c")]

    assert seen[0] is seen[2]
    assert list(health_cache._cache) == ["a", "c"]


@pytest.mark.usefixtures("asked_each_time")
async def test_so_are_a_missing_platform_and_a_token_that_no_key_opens(
    live: Caller, platform: Answers
) -> None:
    number = await a_number(live, credentials="v9.unreadable")

    told = await numbers.get_health(live, number.id)
    assert ([problem["codigo"] for problem in told["problemas"]], told["fonte"]) == (
        ["TOKEN_ILEGIVEL"],
        "cache",
    )
    seen = told["verificadoEm"]

    registry.converse_by(None)
    told = await numbers.get_health(live, number.id)
    assert ([problem["codigo"] for problem in told["problemas"]], told["verificadoEm"]) == (
        ["SEM_PLATAFORMA"],
        seen,
    )


async def test_the_sandbox_answers_live_from_what_is_stored(platform: Answers) -> None:
    number = await a_number(await a_caller())
    caller = await a_caller(organization_id=number.organization_id)

    told = await numbers.get_health(caller, number.id)

    assert platform.asked == []
    assert (told["fonte"], told["podeEnviar"], told["problemas"]) == ("ao_vivo", True, [])


async def test_what_is_known_here_stands_among_the_problems() -> None:
    caller = await a_caller()

    async def told_of(**fields: Any) -> tuple[bool, list[str]]:
        number = await a_number(caller, **fields)
        told = await numbers.get_health(caller, number.id)
        return told["podeEnviar"], [problem["codigo"] for problem in told["problemas"]]

    removed = {"partner_removed_at": now(), "partner_removed_reason": "PARTNER_REMOVED"}
    assert await told_of(**removed) == (False, ["PARTNER_REMOVED"])
    assert await told_of(status="disconnected") == (False, ["NUMERO_INDISPONIVEL"])
    assert await told_of(status="flagged", quality_rating="red") == (True, ["QUALIDADE_BAIXA"])
    assert await told_of(status="flagged") == (True, ["NUMERO_SINALIZADO"])


async def test_a_grave_problem_of_the_platform_is_no_yes(live: Caller, platform: Answers) -> None:
    number = await a_number(live)
    problems = [{"codigo": "141006", "mensagem": "The account is blocked", "gravidade": "alta"}]
    platform.answer = replace(HEALTHY, can_send=True, problems=problems)

    assert (await numbers.get_health(live, number.id))["podeEnviar"] is False


async def test_strange_words_of_the_platform_change_nothing(
    live: Caller, platform: Answers
) -> None:
    number = await a_number(live)
    platform.answer = replace(
        HEALTHY,
        quality_rating="purple",
        messaging_tier="TIER_9",
        name_status=None,
        verified_name=None,
        profile=None,
    )

    await numbers.get_health(live, number.id)

    stored = await Number.get(id=number.id)
    for name in ("quality_rating", "messaging_tier", "name_status", "verified_name", "profile"):
        assert getattr(stored, name) == getattr(number, name)


A, C, D, F, P = (
    NumberStatus.AVAILABLE,
    NumberStatus.CONNECTED,
    NumberStatus.DISCONNECTED,
    NumberStatus.FLAGGED,
    NumberStatus.PENDING,
)


@pytest.mark.parametrize(
    ("learned", "becomes"),
    [
        ({}, {A: A, C: C, D: D, F: F, P: P}),
        ({"connected": True}, {A: C, C: C, D: C, F: F, P: C}),
        ({"connected": False}, {A: A, C: D, D: D, F: D, P: A}),
        ({"connected": True, "flagged": False}, {A: C, C: C, D: C, F: C, P: C}),
        ({"connected": True, "flagged": True}, {A: F, C: F, D: F, F: F, P: F}),
        ({"flagged": True}, {A: A, C: F, D: D, F: F, P: P}),
        ({"flagged": False}, {A: A, C: C, D: D, F: C, P: P}),
    ],
)
def test_a_status_follows_what_is_learned(
    learned: dict[str, bool], becomes: dict[NumberStatus, NumberStatus]
) -> None:
    assert {status: status_after(status, **learned) for status in NumberStatus} == becomes
