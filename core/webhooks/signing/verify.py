"""Signature verification of a request as received: names the step at which its check fails."""

import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from tortoise.expressions import Subquery

from core.foundation.clock import now, real_now, wire_time
from core.foundation.ids import is_id
from core.foundation.records import Doc, Id, Instant
from core.foundation.security.caller import Caller, Scope
from core.webhooks.creator import sees_personal_data
from core.webhooks.events.event_types import PING
from core.webhooks.events.payload import body_of
from core.webhooks.inputs import ReceivedRequest
from core.webhooks.models import (
    SignatureStep,
    WebhookDelivery,
    WebhookEvent,
    WebhookSubscription,
)
from core.webhooks.signing.secret_box import open_secret, signing_secrets
from core.webhooks.signing.signature import sign

TOLERANCE_SECONDS = 300
"""How old a request may be; a receiver that takes older ones can be sent them again by whoever
overheard them.
"""

OURS = re.compile(r"t=(?P<t>[0-9]{1,11})(?P<v1>(,v1=[0-9a-f]{64})+)\Z")
STANDARD = re.compile(r"v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*\Z")


@dataclass(frozen=True, slots=True)
class SignatureClaim:
    """What the headers of a request claim: who signed it, when, and with what result."""

    at: int
    webhook_id: str
    signatures: frozenset[str]
    ours: bool

    def holds(self, secret: str, body: bytes) -> bool:
        """Whether this secret makes one of the signatures of this body."""
        made = sign(secret, webhook_id=self.webhook_id, body=body, at=self.at)
        one = (
            made["X-SVC-Signature"].partition(",v1=")[2] if self.ours else made["webhook-signature"]
        )
        return any(hmac.compare_digest(one, other) for other in self.signatures)


class VerificationFailure(Exception):
    """The check ends here."""

    def __init__(self, step: SignatureStep, message: str) -> None:
        super().__init__(message)
        self.step = step


RIGHT = (
    "The signature is right. If your code refuses this request, it works with "
    "another secret, or with a body that "
    "was parsed and written again."
)


class SignatureVerdict(TypedDict):
    """What the check of a request came to."""

    ok: Annotated[bool, Doc("True where a receiver has to take the request")]
    failingStep: NotRequired[
        Annotated[SignatureStep, Doc("The first step that fails; absent where `ok`")]
    ]
    message: Annotated[str, Doc("What was found, and what to do about it")]
    subscriptionId: NotRequired[
        Annotated[Id, Doc("The subscription that the request names, where it is there")]
    ]
    secretVersion: NotRequired[
        Annotated[int, Doc("Which secret of the subscription made the signature")]
    ]
    signedAt: NotRequired[Annotated[Instant, Doc("When it was signed, by the request itself")]]
    bodyBytes: Annotated[int, Doc("How long the body is that was looked at, in bytes")]


async def verify_signature(caller: Caller, received: ReceivedRequest) -> SignatureVerdict:
    """Check a request as a receiver should.

    In this order: headers, format, subscription (found by X-SVC-Webhook-Id), secret, body,
    timestamp; and if X-SVC-Signature is right, then the same for a `webhook-signature` beside it.
    What the answer tells reveals neither the secret nor what the signature should have been.
    """
    caller.require(Scope.WEBHOOKS_READ)
    at = real_now()
    headers = {name.lower(): value.strip() for name, value in received.headers.items()}
    body = received.body.encode()
    told: SignatureVerdict = {"ok": True, "message": RIGHT, "bodyBytes": len(body)}
    try:
        claim = _ours(headers) or _standard(headers)
        told["signedAt"] = wire_time(datetime.fromtimestamp(claim.at, at.tzinfo))
        subscription = await _subscription(caller, headers)
        told["subscriptionId"] = subscription.id
        age = await _signature(subscription, claim, headers, body, at)
        told["secretVersion"] = subscription.secret_version - age
        _fresh(claim.at, at)
        if claim.ours and "webhook-signature" in headers:
            _agrees(subscription, _standard(headers), body, at)
    except VerificationFailure as failure:
        told["ok"], told["message"] = False, str(failure)
        told["failingStep"] = failure.step
    return told


def _ours(headers: Mapping[str, str]) -> SignatureClaim | None:
    ours = headers.get("x-svc-signature")
    if ours is None:
        return None
    if (read := OURS.match(ours)) is None:
        raise VerificationFailure(
            SignatureStep.FORMAT,
            "X-SVC-Signature must read t=<unix seconds>,v1=<64 lower-case hexadecimal digits>.",
        )
    return SignatureClaim(
        int(read["t"]),
        headers.get("webhook-id", ""),
        frozenset(read["v1"][4:].split(",v1=")),
        ours=True,
    )


def _standard(headers: Mapping[str, str]) -> SignatureClaim:
    missing = [
        name
        for name in ("webhook-signature", "webhook-id", "webhook-timestamp")
        if name not in headers
    ]
    if missing:
        told = (
            "X-SVC-Signature is right, but"
            if "x-svc-signature" in headers
            else "There is no X-SVC-Signature, and"
        )
        raise VerificationFailure(
            SignatureStep.HEADERS,
            f"{told} for a check by Standard Webhooks {', '.join(missing)} is missing. A proxy may have taken it away.",
        )
    if not STANDARD.match(headers["webhook-signature"]):
        raise VerificationFailure(
            SignatureStep.FORMAT,
            (
                "webhook-signature must read v1,<44 characters of base64>, several separated "
                "by spaces."
            ),
        )
    if not re.fullmatch(r"[0-9]{1,11}", headers["webhook-timestamp"]):
        raise VerificationFailure(SignatureStep.FORMAT, "webhook-timestamp must be unix seconds.")
    signatures = frozenset(headers["webhook-signature"].split(" "))
    return SignatureClaim(
        int(headers["webhook-timestamp"]), headers["webhook-id"], signatures, ours=False
    )


async def _subscription(caller: Caller, headers: Mapping[str, str]) -> WebhookSubscription:
    id = headers.get("x-svc-webhook-id")
    if id is None:
        raise VerificationFailure(
            SignatureStep.HEADERS, "X-SVC-Webhook-Id is missing: it tells whose secret signs."
        )
    found = await WebhookSubscription.own_or_none(caller, "wbh", id)
    if found is None:
        if headers.get("x-svc-event") == PING:
            raise VerificationFailure(
                SignatureStep.SUBSCRIPTION,
                (
                    "A ping of POST /webhooks/validate is signed with a secret made for it "
                    "alone, which nobody can check."
                ),
            )
        raise VerificationFailure(
            SignatureStep.SUBSCRIPTION,
            "X-SVC-Webhook-Id names no subscription of this environment: it was deleted, "
            "or the credential is of the "
            "other environment or another organization.",
        )
    return found


async def _signature(
    subscription: WebhookSubscription,
    claim: SignatureClaim,
    headers: Mapping[str, str],
    body: bytes,
    at: datetime,
) -> int:
    """How many versions old the secret is that signed: 0, or 1 while a rotation overlaps. Raises
    VerificationFailure.
    """
    secrets = signing_secrets(subscription, at=at)
    for age, secret in enumerate(secrets):
        if claim.holds(secret, body):
            return age
    if (gone := _expired_secret(subscription, at)) is not None and claim.holds(gone, body):
        raise VerificationFailure(
            SignatureStep.SECRET,
            "The request was signed with the previous secret, which is no longer valid.",
        )
    for name, other in _likely(body):
        if any(claim.holds(secret, other) for secret in secrets):
            raise VerificationFailure(
                SignatureStep.BODY,
                f"The body was changed after it was signed: {name}. Check the raw bytes.",
            )
    sent = await _as_sent(subscription, headers.get("x-svc-delivery-id", ""))
    if sent is not None and any(claim.holds(secret, sent) for secret in secrets):
        raise VerificationFailure(SignatureStep.BODY, _difference(sent, body))
    raise VerificationFailure(
        SignatureStep.SECRET,
        "No valid secret of the subscription makes this signature: it was made with "
        "another one, or the timestamp or "
        "the body is not the one that was signed.",
    )


def _agrees(
    subscription: WebhookSubscription, claim: SignatureClaim, body: bytes, at: datetime
) -> None:
    """What a Standard Webhooks library looks at must be right too: it never sees X-SVC-Signature.
    Raises VerificationFailure.
    """
    if not any(claim.holds(secret, body) for secret in signing_secrets(subscription, at=at)):
        raise VerificationFailure(
            SignatureStep.SECRET,
            "X-SVC-Signature is right, but no valid secret makes this webhook-signature: "
            "that header, webhook-id or "
            "webhook-timestamp is not the one that was sent.",
        )
    _fresh(claim.at, at)


def _expired_secret(subscription: WebhookSubscription, at: datetime) -> str | None:
    cipher = subscription.previous_secret_cipher
    if cipher is None or len(signing_secrets(subscription, at=at)) > 1:
        return None
    return open_secret(subscription.id, cipher)


def _likely(body: bytes) -> Sequence[tuple[str, bytes]]:
    """What bodies often suffer on their way, undone."""
    stripped = body.strip(b" \t\r\n\xef\xbb\xbf")
    found = [("spaces or line breaks were added around it", stripped)]
    try:
        compact = json.dumps(
            json.loads(stripped), ensure_ascii=False, separators=(",", ":")
        ).encode()
    except (ValueError, RecursionError):
        return found
    return [*found, ("it was parsed and written again, in another form", compact)]


async def _as_sent(subscription: WebhookSubscription, delivery_id: str) -> bytes | None:
    """The body of the delivery that the request says it is."""
    if not is_id("dlv", delivery_id):
        return None
    organization_id = subscription.organization_id
    delivered = WebhookDelivery.filter(
        id=delivery_id, subscription_id=subscription.id, organization_id=organization_id
    )
    event = await WebhookEvent.get_or_none(
        id__in=Subquery(delivered.values("event_id")), organization_id=organization_id
    )
    if event is None:
        return None
    return body_of(
        event_id=event.id,
        type=event.type,
        occurred_at=event.occurred_at,
        env=event.env,
        organization_id=organization_id,
        api_version=subscription.api_version,
        data=event.data,
        unmasked=sees_personal_data(vars(subscription), at=now()),
    )


def _difference(sent: bytes, body: bytes) -> str:
    place = next(
        (place for place, (a, b) in enumerate(zip(sent, body, strict=False)) if a != b), None
    )
    if place is None:
        place = min(len(sent), len(body))
    return (
        f"The body is not the one that was signed: {len(sent)} bytes were sent, {len(body)} are here, and they differ "
        f"from byte {place} on."
    )


def _fresh(signed_at: int, at: datetime) -> None:
    age = int(at.timestamp()) - signed_at
    if abs(age) <= TOLERANCE_SECONDS:
        return
    when = (
        f"{age} seconds ago"
        if age > 0
        else f"{-age} seconds in the future: check the clock of the receiver"
    )
    raise VerificationFailure(
        SignatureStep.TIMESTAMP,
        f"The signature is right, but it was made {when}; a receiver refuses more than {TOLERANCE_SECONDS} seconds.",
    )
