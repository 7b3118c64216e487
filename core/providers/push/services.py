"""The push services of a process: their connections, and a provider per app's credentials."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import httpx

from core.foundation import http_client
from core.foundation.http_client import GuardedClient, OutboundPolicy
from core.providers.gateway.session import open_session
from core.providers.push import apns
from core.providers.push.apns import ApplePush
from core.providers.push.contracts import PushSender
from core.providers.push.credentials import Apns, Fcm, PushCredentials
from core.providers.push.fcm import FirebasePush
from core.providers.push.vapid import Vapid
from core.providers.push.web_push import WebPushService

Key = Vapid | Fcm | Apns

MAX_KEPT_PROVIDERS = 1_000
"""Providers that are kept for their tokens; a process that serves more apps makes some anew."""


@dataclass(slots=True)
class Services:
    """`browsers` is guarded: its addresses come from whoever registers a device. The others are the
    operator's word.
    """

    browsers: GuardedClient
    firebase: aiohttp.ClientSession
    apple: httpx.AsyncClient
    _kept: dict[Key, PushSender] = field(default_factory=dict)

    def provider_for(self, credentials: PushCredentials | None, platform: str) -> PushSender | None:
        """Who takes notifications for this platform; None where the app has nothing to show.

        Apple's devices are reached through Firebase where the app has no key of Apple's.
        """
        found = credentials or PushCredentials()
        key = (
            found.vapid
            if platform == "web"
            else (found.apns if platform == "ios" else None) or found.fcm
        )
        if key is None:
            return None
        if key not in self._kept:
            if len(self._kept) >= MAX_KEPT_PROVIDERS:
                self._kept.clear()
            self._kept[key] = self._open(key)
        return self._kept[key]

    def _open(self, key: Key) -> PushSender:
        match key:
            case Vapid():
                return WebPushService(key, self.browsers)
            case Apns():
                return ApplePush(key, self.apple)
            case Fcm():
                return FirebasePush(key, self.firebase)


@asynccontextmanager
async def open_services(policy: OutboundPolicy) -> AsyncIterator[Services]:
    """The services for as long as the process works; call it inside the loop."""
    async with (
        http_client.open_client(policy) as browsers,
        open_session() as firebase,
        apns.open_client() as apple,
    ):
        yield Services(browsers, firebase, apple)
