"""The credentials of an app for its push providers."""

from pydantic import BaseModel, ConfigDict

from core.providers.push.vapid import Vapid


class Fcm(BaseModel):
    """A service account of Firebase; the key is PEM."""

    model_config = ConfigDict(frozen=True)

    project_id: str
    client_email: str
    private_key: str


class Apns(BaseModel):
    """A token signing key of Apple; the key is PEM."""

    model_config = ConfigDict(frozen=True)

    key_id: str
    team_id: str
    bundle_id: str
    private_key: str
    sandbox: bool = False


class PushCredentials(BaseModel):
    """Those of one app."""

    model_config = ConfigDict(frozen=True)

    fcm: Fcm | None = None
    apns: Apns | None = None
    vapid: Vapid | None = None
