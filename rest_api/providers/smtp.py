"""The callback about e-mails: bounces and complaints, proved by a signature instead of a
credential.
"""

from starlette.routing import Route
from starlette.types import Receive, Scope

from core import email
from core.foundation.clock import now
from core.foundation.errors import MethodNotAllowed, NotFound, Unauthorized
from core.foundation.settings import current
from core.providers import smtp
from rest_api.providers.gateway import MAX_BODY_BYTES, GatewayCallback, enter_organization
from rest_api.providers.signed import is_signed
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers

SIGNATURE = smtp.SIGNATURE_HEADER.lower().encode()


class BadFeedbackSignature(Unauthorized):
    default_detail = (
        "Sign method, path and body with the shared secret in X-Smtp-Signature, and "
        "check the clock."
    )

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "assinatura"})


class FeedbackCallback(GatewayCallback):
    """A report of a mail server as it is (`message/rfc822`), or items in JSON; signed as the
    gateway signs.
    """

    def __init__(self) -> None:
        pass

    async def _answer(self, scope: Scope, receive: Receive, headers: Headers) -> dict[str, int]:
        if scope["method"] != "POST":
            raise MethodNotAllowed
        secret = current().smtp_feedback_secret
        if secret is None:
            raise NotFound
        signature = headers.get(SIGNATURE)
        if not signature:
            raise BadFeedbackSignature  # before a body is read of somebody who did not even try
        raw = await read_promptly(receive, headers, limit=MAX_BODY_BYTES)
        at = now()
        if not is_signed(scope, secret, signature, raw, at=at):
            raise BadFeedbackSignature
        organization_id: str = scope["path_params"]["organization_id"]
        if not await enter_organization(organization_id):
            raise NotFound
        feedback = smtp.read_feedback(raw, headers.get(b"content-type") or "", at=at)
        await email.receive_feedback(organization_id, feedback, at=at)
        return {"received": len(feedback)}


routes = [Route("/providers/smtp/{organization_id}/feedback", FeedbackCallback())]
