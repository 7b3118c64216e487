"""The registry of providers: which one serves whom in this process.

Test keys are always served by the sandbox, which answers in-process (`core.providers.sandbox`);
live ones by what the operator configured. A further provider is a package and a line in `LIVE`.
Which of several carries a route of SMS is a setting (SVC_SMS_PROVIDERS).
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from core.foundation.channels import AnyChannel
from core.foundation.settings import SMS_ROUTES, Settings, SettingsError
from core.providers import gateway, meta, smtp
from core.providers.amazon.opening import open_eum, open_sns
from core.providers.contracts import SmsProvider
from core.providers.email import MailProvider
from core.providers.platform import ConversationPlatform
from core.providers.sandbox import PROVIDER as SANDBOX

Opened = Callable[[Settings], AbstractAsyncContextManager[SmsProvider | None]]

LIVE: tuple[tuple[Opened, tuple[str, ...]], ...] = (
    # Where several are configured for a channel, the first of them serves it.
    (gateway.opened, (AnyChannel.SMS, AnyChannel.RCS)),
    (open_eum, (AnyChannel.SMS,)),
    (open_sns, (AnyChannel.SMS,)),
)

_serving: dict[str, SmsProvider] = {}
_by_route: dict[str, tuple[SmsProvider, ...]] = {}
_named: dict[str, SmsProvider] = {}
_open = AsyncExitStack()
_mail: MailProvider | None = None
_platform: ConversationPlatform | None = None


async def open_providers(settings: Settings) -> None:
    """Open what is configured, at the start of a process and inside its loop; what was open is
    closed first.
    """
    global _open
    await close_providers()
    async with AsyncExitStack() as stack:
        found = [
            (await stack.enter_async_context(opened(settings)), channels)
            for opened, channels in LIVE
        ]
        relay = await stack.enter_async_context(smtp.opened(settings))
        platform = await stack.enter_async_context(meta.open_platform(settings))
        _open = stack.pop_all()
    carry_mail_by(relay)
    converse_by(platform)
    for provider, channels in found:
        if provider is not None:
            register(provider, *(channel for channel in channels if channel not in _serving))
    route_sms(settings.sms_providers)


async def close_providers() -> None:
    """Let go of all providers. Sends that are under way then have an unknown outcome: stop taking
    them first.
    """
    _serving.clear()
    _by_route.clear()
    _named.clear()
    carry_mail_by(None)
    converse_by(None)
    await _open.aclose()


def register(provider: SmsProvider, *channels: str) -> None:
    """Let `provider` serve live messages of these channels until `close_providers`."""
    _named[provider.name] = provider
    _serving.update(dict.fromkeys(channels, provider))


def route_sms(providers: Mapping[str, tuple[str, ...]]) -> None:
    """Let these providers, by name, serve these routes of live SMS until `close_providers`. Raises
    SettingsError for one that is not open.
    """
    for route, names in providers.items():
        missing = [name for name in names if name not in _named]
        if missing:
            raise SettingsError(
                f"Wrong settings: SVC_SMS_PROVIDERS: {route} names {missing[0]}, which is not set"
            )
        _by_route[route] = tuple(_named[name] for name in names)


def carry_mail_by(provider: MailProvider | None) -> None:
    """Let `provider` carry live e-mails until `close_providers`."""
    global _mail
    _mail = provider


def for_mail() -> MailProvider | None:
    """Who carries live e-mails; None when nobody is configured (503, nothing stored)."""
    return _mail


def converse_by(platform: ConversationPlatform | None) -> None:
    """Let `platform` carry live conversations until `close_providers`."""
    global _platform
    _platform = platform


def for_conversations() -> ConversationPlatform | None:
    """Who carries live conversations; None when nobody is configured."""
    return _platform


def for_live(channel: str, route: str | None = None) -> SmsProvider | None:
    """Who takes live messages of this channel, on this route; None when nobody is configured (503,
    nothing stored).
    """
    return next(iter(carriers(channel, route)), None)


def carriers(channel: str, route: str | None = None) -> tuple[SmsProvider, ...]:
    """Who takes live messages, and who is asked after a clear refusal; empty when nobody is
    configured.
    """
    if channel == AnyChannel.SMS and route in _by_route:
        return _by_route[route]
    provider = _serving.get(channel)
    return (provider,) if provider else ()


def sms_routes() -> dict[str, tuple[SmsProvider, ...]]:
    """Who carries each route of live SMS."""
    return {route: carriers(AnyChannel.SMS, route) for route in SMS_ROUTES}


def named(name: str) -> SmsProvider | None:
    """The open provider of this name: a message is looked up where it went, whoever serves new
    ones.
    """
    return _named.get(name)


def name_of(env: str, channel: str) -> str | None:
    """The interface's `provider` of messages in this environment; None when nobody serves them."""
    if env == "test":
        return SANDBOX
    provider = for_live(channel)
    return provider.name if provider else None
