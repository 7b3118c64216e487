"""The inputs of apps."""

from typing import Annotated, Any

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.validation.inputs import Changes, Input
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across
from core.providers.push import Apns, Fcm, PushCredentials, Vapid, new_vapid_keys, vapid_keys
from core.push.inputs import AppId

Name = Annotated[str, NameText(120), Field(description="What the app is called")]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Pem = Annotated[
    str,
    StringConstraints(min_length=1, max_length=8000),
    Field(description="The private key, in PEM; it is never shown again"),
]


def _private_key(text: str, kind: type[Any]) -> None:
    try:
        key = load_pem_private_key(text.encode(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, kind):
        raise PydanticCustomError(
            "wrong_format", "Send the private key as the provider issued it, in PEM"
        )


class FcmAccount(Input):
    """The service account of Firebase, as in its JSON file."""

    project_id: Word = Field(description="The project of Firebase")
    client_email: Word = Field(description="The e-mail address of the service account")
    private_key: Pem

    @across("private_key")
    @staticmethod
    def _usable(private_key: str) -> None:
        _private_key(private_key, rsa.RSAPrivateKey)


class ApnsKey(Input):
    """A token signing key of Apple (`.p8`) and the app's bundle id. `sandbox`: Apple's development
    environment.
    """

    key_id: Word = Field(description="Apple's id of the key")
    team_id: Word = Field(description="Apple's id of the team")
    bundle_id: Word = Field(description="The bundle id of the app")
    private_key: Pem
    sandbox: bool = Field(default=False, description="Apple's development environment")

    @across("private_key")
    @staticmethod
    def _usable(private_key: str) -> None:
        _private_key(private_key, ec.EllipticCurvePrivateKey)


class WebPush(Input):
    """How push services reach whoever sends (`mailto:` or https). Keys are made unless a private
    one is sent.
    """

    contact: Annotated[
        str, StringConstraints(max_length=300, pattern=r"^(mailto:[^\s@]+@[^\s@]+|https://\S+)$")
    ] = Field(description="How push services reach whoever sends: `mailto:` or https")
    private_key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}=?$")] | None = Field(
        default=None, description="The VAPID private key in base64url, 32 bytes"
    )

    @across("contact", "private_key")
    @staticmethod
    def _usable(contact: str, private_key: str | None) -> None:
        if private_key is not None:
            try:
                vapid_keys(contact, private_key)
            except ValueError:
                raise PydanticCustomError(
                    "wrong_format", "Send a private key of the curve P-256"
                ) from None

    @property
    def keys(self) -> Vapid | None:
        """The keys, if one was sent."""
        return vapid_keys(self.contact, self.private_key) if self.private_key else None


FCM = "The service account of Firebase, for Android and iOS"
APNS = "The key of Apple, for iOS"
WEB = "What browsers subscribe with"


class NewApp(Input):
    """An app to register, with the credentials of the providers that it uses."""

    app_id: AppId
    name: Name | None = None
    fcm: FcmAccount | None = Field(default=None, description=FCM)
    apns: ApnsKey | None = Field(default=None, description=APNS)
    web: WebPush | None = Field(default=None, description=WEB)

    @property
    def credentials(self) -> PushCredentials:
        """Those that were sent."""
        return PushCredentials(
            fcm=Fcm(**self.fcm.model_dump()) if self.fcm else None,
            apns=Apns(**self.apns.model_dump()) if self.apns else None,
            vapid=self.web.keys if self.web else None,
        )


class AppChanges(Changes):
    """What to change of an app; null takes the credentials of a provider, or the name, away."""

    name: Name | None = None
    fcm: FcmAccount | None = Field(default=None, description=FCM)
    apns: ApnsKey | None = Field(default=None, description=APNS)
    web: WebPush | None = Field(default=None, description=WEB)

    def laid_over(self, stored: PushCredentials) -> PushCredentials:
        """The credentials with what was sent in place of what was stored.

        The keys for browsers stay unless others are sent: every subscription is bound to them.
        """
        sent: dict[str, Any] = {}
        if "fcm" in self.model_fields_set:
            sent["fcm"] = Fcm(**self.fcm.model_dump()) if self.fcm else None
        if "apns" in self.model_fields_set:
            sent["apns"] = Apns(**self.apns.model_dump()) if self.apns else None
        if "web" in self.model_fields_set:
            sent["vapid"] = _vapid(self.web, stored.vapid)
        return stored.model_copy(update=sent)


def _vapid(web: WebPush | None, stored: Vapid | None) -> Vapid | None:
    if web is None:
        return None
    return web.keys or (
        stored.model_copy(update={"contact": web.contact})
        if stored
        else new_vapid_keys(web.contact)
    )
