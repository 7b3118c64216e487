"""The shapes of API keys."""

from typing import Literal

from rest_api.support.shapes import Address, Env, Listed, Out, Timestamp


class ApiKey(Out):
    """A key without its text. `prefixo` is how its owner recognises it; without `ips` it opens from
    anywhere.
    """

    id: str
    nome: str
    env: Env
    prefixo: str
    scopes: list[str]
    ips: list[str] | None = None
    status: Literal["ativa", "expirada", "revogada"]
    expira_em: Timestamp | None = None
    created_by_id: str
    created_at: Timestamp
    last_used_at: Timestamp | None = None
    revoked_at: Timestamp | None = None
    replaced_by_id: str | None = None


class IssuedApiKey(ApiKey):
    """A new key with its text, which cannot be read again."""

    key: str


class ApiKeyWebhook(Out):
    """A webhook subscription that was created with a key."""

    id: str
    url: Address
    status: Literal["active", "paused", "failing", "revoked"]


class ApiKeyWithWebhooks(ApiKey):
    """A key and the webhook subscriptions that were created with it, or with a key that it
    replaced.
    """

    webhooks: list[ApiKeyWebhook]


class ApiKeyPage(Listed):
    """A page of keys, newest first."""

    items: list[ApiKey]
    total: int
    next_cursor: str | None = None
