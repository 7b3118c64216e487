"""The callback of a payment system: a payment that came in, proved by a signature instead of a
credential.
"""

from starlette.routing import Route
from starlette.types import Receive, Scope

from core import wallet
from core.foundation.clock import now
from core.foundation.errors import (
    BadRequest,
    MethodNotAllowed,
    NotFound,
    Unauthorized,
    ValidationFailed,
)
from core.foundation.settings import current
from core.foundation.validation.inputs import read_body
from core.providers import gateway
from rest_api.providers.gateway import MAX_BODY_BYTES, GatewayCallback, enter_organization
from rest_api.providers.signed import address_of
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers

SIGNATURE = b"x-payment-signature"


class BadPaymentSignature(Unauthorized):
    default_detail = (
        "Sign method, path and body with the shared secret in X-Payment-Signature, "
        "and check the clock."
    )

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "assinatura"})


class PaymentCallback(GatewayCallback):
    """One payment a body; signed as the gateway signs, by `v2`, which covers the address."""

    def __init__(self) -> None:
        pass

    async def _answer(self, scope: Scope, receive: Receive, headers: Headers) -> dict[str, int]:
        if scope["method"] != "POST":
            raise MethodNotAllowed
        secret = current().payments_secret
        if secret is None:
            raise NotFound
        signature = headers.get(SIGNATURE)
        if not signature:
            raise BadPaymentSignature  # before a body is read of somebody who did not even try
        raw = await read_promptly(receive, headers, limit=MAX_BODY_BYTES)
        at = now()
        signed = gateway.verify(
            secret, signature, raw, to=address_of(scope), at=int(at.timestamp())
        )
        if signed != "v2":
            raise BadPaymentSignature
        organization_id: str = scope["path_params"]["organization_id"]
        if not await enter_organization(organization_id):
            raise NotFound
        try:
            payment = read_body(wallet.NewPayment, raw)
        except ValidationFailed as invalid:
            raise BadRequest(invalid.detail, errors=invalid.errors) from None
        await wallet.record_payment(organization_id, payment, at=at)
        return {"received": 1}


routes = [Route("/providers/payments/{organization_id}", PaymentCallback())]
