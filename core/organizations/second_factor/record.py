"""What is answered about a second factor."""

from typing import Annotated, TypedDict

from core.foundation.records import Doc, named


class SecondFactorRecord(TypedDict):
    """Whether a code is asked for at the log-in."""

    active: Annotated[bool, Doc("Whether the log-in asks for a code")]
    demanded: Annotated[
        bool, Doc("Whether the organization demands one: without it a session only adds it")
    ]
    recoveryCodesLeft: Annotated[int, Doc("How many recovery codes were not used yet")]


class NewSecondFactor(TypedDict):
    """What goes into an app. It is shown this once, and asked for once a code of it was shown."""

    secret: Annotated[str, Doc("The secret in base32, to be typed into the app")]
    uri: Annotated[str, Doc("The same for a QR code: `otpauth://totp/…`")]


# Generated clients take a key that is called as its class for the class.
@named(rest="NewRecoveryCodes", graphql="RecoveryCodes")
class RecoveryCodes(TypedDict):
    """Ten codes, shown this once; each opens once, for whoever has lost the app."""

    recoveryCodes: Annotated[list[str], Doc("The codes, to be kept away from the app")]
