"""The shapes of API keys."""

from typing import Literal

from rest_api.support.shapes import Env, Out, Timestamp


class ApiKey(Out):
    """A key without its text. `prefixo` is how its owner recognises it; without `ips` it opens from anywhere."""

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


class ApiKeyPage(Out):
    """A page of keys, newest first."""

    items: list[ApiKey]
    total: int
    next_cursor: str | None = None
