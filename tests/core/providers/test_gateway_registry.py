"""Which provider serves whom, and the settings behind it."""

import base64
from collections.abc import AsyncIterator, Mapping

import pytest

from core.foundation.settings import Settings, SettingsError, load
from core.providers import registry
from core.providers.contracts import Accepted, Outgoing
from core.providers.gateway import Gateway, open_session
from tests.fakes.gateway import SECRET, a_gateway

URL = "https://gateway.example.com/v1"
SMS = Outgoing("msg_000000000000000000001", "sms", "+5511987654321", "Oi", None, "premium", None)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DATABASE_URL": "postgresql://nowhere",
        "REDIS_URL": "redis://nowhere",
        "SVC_HASH_KEY": "the hash key of the tests",
        "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(32)).decode(),
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("SVC_GATEWAY_URL", "SVC_GATEWAY_SECRET", "SVC_GATEWAY_TIMEOUT_SECONDS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
async def nobody_afterwards() -> AsyncIterator[None]:
    yield
    await registry.close_providers()


def settings_with(monkeypatch: pytest.MonkeyPatch, given: Mapping[str, str]) -> Settings:
    for name, value in given.items():
        monkeypatch.setenv(f"SVC_GATEWAY_{name}", value)
    return load()


async def test_without_a_gateway_nobody_serves_live_messages() -> None:
    await registry.open_providers(load())
    assert registry.for_live("sms") is None
    assert registry.named("gateway") is None
    assert registry.name_of("live", "sms") is None
    assert registry.name_of("test", "sms") == "svc-sandbox"


async def test_a_configured_gateway_serves_live_sms_and_rcs_until_it_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_gateway() as fake:
        await registry.open_providers(
            settings_with(monkeypatch, {"URL": fake.url, "SECRET": SECRET})
        )
        provider = registry.for_live("sms")
        assert provider is not None
        assert provider is registry.for_live("rcs")
        assert provider is registry.named("gateway")
        assert registry.for_live("email") is None
        assert [registry.name_of(env, "sms") for env in ("live", "test")] == [
            "gateway",
            "svc-sandbox",
        ]
        assert await provider.send(SMS) == Accepted("gw_1")
        assert fake.sends[0].signed

        await registry.close_providers()
        assert registry.for_live("sms") is None
        assert isinstance(provider, Gateway)
        assert provider._session.closed
        await registry.close_providers()


async def test_opening_again_closes_what_was_open(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_with(monkeypatch, {"URL": URL, "SECRET": SECRET, "TIMEOUT_SECONDS": "2.5"})
    await registry.open_providers(settings)
    first = registry.for_live("sms")
    await registry.open_providers(settings)
    second = registry.for_live("sms")
    assert isinstance(first, Gateway)
    assert isinstance(second, Gateway)
    assert first._session.closed
    assert not second._session.closed
    assert second._seconds == 2.5


async def test_a_test_may_put_its_own_provider_in() -> None:
    async with open_session() as session:
        own = Gateway(URL, SECRET, session)
        registry.register(own, "sms")
        assert registry.for_live("sms") is own
        assert registry.for_live("rcs") is None


# Settings -----------------------------------------------------------------------------------------


def test_the_gateways_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_with(monkeypatch, {"URL": f"{URL}/", "SECRET": SECRET})
    assert settings.gateway_url == URL
    assert settings.gateway_secret == SECRET
    assert settings.gateway_timeout_seconds == 10
    assert SECRET not in repr(settings)
    assert Settings.model_fields["gateway_secret"].json_schema_extra == {"secret": True}


def test_empty_is_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_with(monkeypatch, {"URL": "", "SECRET": ""})
    assert (settings.gateway_url, settings.gateway_secret) == (None, None)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"URL": URL}, "SVC_GATEWAY_SECRET: set it together with SVC_GATEWAY_URL, or neither"),
        (
            {"SECRET": SECRET},
            "SVC_GATEWAY_SECRET: set it together with SVC_GATEWAY_URL, or neither",
        ),
        (
            {"URL": URL, "SECRET": "short"},
            "SVC_GATEWAY_SECRET: String should have at least 16 characters",
        ),
        ({"URL": "gateway.example.com", "SECRET": SECRET}, "SVC_GATEWAY_URL: write an absolute"),
        (
            {"URL": "ftp://gateway.example.com", "SECRET": SECRET},
            "SVC_GATEWAY_URL: write an absolute",
        ),
        ({"URL": "https://", "SECRET": SECRET}, "SVC_GATEWAY_URL: write an absolute"),
        (
            {"URL": "https://gateway.test:port", "SECRET": SECRET},
            "SVC_GATEWAY_URL: write an absolute",
        ),
        ({"URL": "https://[::1", "SECRET": SECRET}, "SVC_GATEWAY_URL: write an absolute"),
        (
            {"URL": "https://me:pw@gateway.example.com", "SECRET": SECRET},
            "SVC_GATEWAY_URL: write the",
        ),
        ({"URL": f"{URL}?key=1", "SECRET": SECRET}, "SVC_GATEWAY_URL: write the"),
        ({"TIMEOUT_SECONDS": "0"}, "SVC_GATEWAY_TIMEOUT_SECONDS: "),
        ({"TIMEOUT_SECONDS": "61"}, "SVC_GATEWAY_TIMEOUT_SECONDS: "),
        ({"TIMEOUT_SECONDS": "nan"}, "SVC_GATEWAY_TIMEOUT_SECONDS: "),
    ],
)
def test_a_wrong_setting_is_one_line_without_its_value(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], named: str
) -> None:
    with pytest.raises(SettingsError) as wrong:
        settings_with(monkeypatch, given)
    assert str(wrong.value).startswith(f"Wrong settings: {named}")
    assert str(wrong.value).count("SVC_GATEWAY") <= 2
    assert not any(value in str(wrong.value) for value in given.values() if len(value) > 3)


# Routes -------------------------------------------------------------------------------------------


def named(monkeypatch: pytest.MonkeyPatch, text: str) -> Settings:
    monkeypatch.setenv("SVC_SMS_PROVIDERS", text)
    return load()


def test_routes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert named(monkeypatch, "").sms_providers == {}
    assert named(monkeypatch, " otp=cloud-eum/gateway , premium=gateway,").sms_providers == {
        "otp": ("cloud-eum", "gateway"),
        "premium": ("gateway",),
    }


@pytest.mark.parametrize(
    "text",
    [
        "otp",
        "=gateway",
        "otp=",
        "otp=telex",
        "fax=gateway",
        "otp=gateway,otp=cloud-eum",
        "otp=gateway/gateway",
        "otp=gateway/cloud-eum/cloud-sns",
        "otp=gateway/",
    ],
)
def test_a_wrong_route_is_one_line(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    with pytest.raises(SettingsError, match="SVC_SMS_PROVIDERS: name ") as wrong:
        named(monkeypatch, text)
    assert "\n" not in str(wrong.value)


async def test_a_provider_of_a_route_that_is_not_set_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(SettingsError, match="otp names gateway, which is not set"):
        await registry.open_providers(named(monkeypatch, "otp=gateway"))


async def test_a_route_has_its_carriers_and_the_others_the_first_configured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SVC_SMS_PROVIDERS", "otp=gateway")
    await registry.open_providers(settings_with(monkeypatch, {"URL": URL, "SECRET": SECRET}))
    gateway = registry.named("gateway")
    assert registry.sms_routes() == dict.fromkeys(("premium", "otp", "la_dedicada"), (gateway,))
