"""When the platform is there, and what its settings may be."""

import base64
from collections.abc import AsyncIterator

import pytest

from core.foundation.settings import SettingsError, load
from core.providers import registry
from core.providers.meta import MetaPlatform
from core.providers.platform import OutgoingMessage, PlatformAcceptance, SenderAccount
from tests.core.providers.meta.recorded_shapes import answer
from tests.fakes.graph import SECRET, TOKEN, a_graph, says

WORD = "the word that we agreed upon"


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DATABASE_URL": "postgresql://nowhere",
        "REDIS_URL": "redis://nowhere",
        "SVC_HASH_KEY": "the hash key of the tests",
        "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(32)).decode(),
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(autouse=True)
async def nobody_afterwards() -> AsyncIterator[None]:
    yield
    await registry.close_providers()


def given(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"SVC_META_{name}", value)


async def test_without_a_secret_nobody_carries_live_conversations() -> None:
    await registry.open_providers(load())
    assert registry.for_conversations() is None


async def test_a_configured_platform_carries_them_until_it_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_graph() as graph:
        graph.at("POST", "106540352242922/messages", says(answer("sent")))
        given(
            monkeypatch, APP_SECRETS=f"{SECRET}, another secret of another", VERIFY_TOKEN=WORD, ACCESS_TOKEN=TOKEN,
            GRAPH_URL=f"{graph.url}/",
        )  # fmt: skip
        await registry.open_providers(load())
        platform = registry.for_conversations()
        assert isinstance(platform, MetaPlatform)
        assert platform.name == "meta"
        sender = SenderAccount(
            "num_v0486I4sb9qvmbeLF0zLs", "whatsapp", "106540352242922", "102290129340398", None
        )
        message = OutgoingMessage(
            "msg_v0486I4sb9qvmbeLF0zLs", "+5511987650005", "text", {"text": "Olá"}
        )
        assert isinstance(await platform.send(sender, message), PlatformAcceptance)
        assert graph.last.proven
        await registry.close_providers()
        assert registry.for_conversations() is None


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"APP_SECRETS": SECRET}, "SVC_META_VERIFY_TOKEN"),
        ({"VERIFY_TOKEN": WORD}, "SVC_META_VERIFY_TOKEN"),
        ({"APP_SECRETS": "short", "VERIFY_TOKEN": WORD}, "SVC_META_APP_SECRETS"),
        ({"APP_SECRETS": SECRET, "VERIFY_TOKEN": "short"}, "SVC_META_VERIFY_TOKEN"),
        ({"APP_ID": "an id"}, "SVC_META_APP_ID"),
        ({"GRAPH_URL": "graph.facebook.com"}, "SVC_META_GRAPH_URL"),
        ({"INSTAGRAM_URL": "https://a@graph.instagram.com"}, "SVC_META_INSTAGRAM_URL"),
        ({"GRAPH_VERSION": "24"}, "SVC_META_GRAPH_VERSION"),
        ({"TIMEOUT_SECONDS": "0"}, "SVC_META_TIMEOUT_SECONDS"),
    ],
)
def test_a_wrong_setting_is_named_and_never_repeated(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], named: str
) -> None:
    given(monkeypatch, **values)
    with pytest.raises(SettingsError) as wrong:
        load()
    assert named in str(wrong.value)
    assert not any(value in str(wrong.value) for value in values.values() if len(value) > 4)


def test_what_nobody_set_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose files hand on `NAME=` for it."""
    given(monkeypatch, APP_SECRETS="", VERIFY_TOKEN="", ACCESS_TOKEN="", APP_ID="")
    settings = load()
    assert (settings.meta_app_secrets, settings.meta_verify_token, settings.meta_app_id) == (
        (),
        None,
        None,
    )


def test_no_secret_shows_in_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, APP_SECRETS=SECRET, VERIFY_TOKEN=WORD, ACCESS_TOKEN=TOKEN)
    shown = repr(load())
    assert not any(secret in shown for secret in (SECRET, WORD, TOKEN))
