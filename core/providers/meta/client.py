"""The platform client: implements `ConversationPlatform` on the Graph API."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import structlog

from core.foundation.clock import now
from core.foundation.http_client import GuardedClient
from core.providers.gateway.exchange import Silence
from core.providers.meta import files, flows, health, templates
from core.providers.meta.errors import sentence_of
from core.providers.meta.graph import GraphClient
from core.providers.meta.outgoing_messages import body_of
from core.providers.meta.send_replies import answer_of
from core.providers.meta.template_examples import handle_of
from core.providers.platform import (
    FlowDraft,
    OutgoingMessage,
    PlatformAcceptance,
    PlatformHealth,
    Rejection,
    SenderAccount,
    SendReply,
    TemplateDraft,
    TemplateSubmission,
)

PROVIDER = "meta"

_log = structlog.get_logger(__name__)


class MetaPlatform:
    """A `ConversationPlatform`. `outside`: a client of `http_client.open_client`, for addresses that
    others name.

    `app_id`: that of the app, without which no template with a file in its header can be handed in.
    """

    name = PROVIDER

    def __init__(
        self, graph: GraphClient, outside: GuardedClient, *, app_id: str | None = None
    ) -> None:
        self._graph = graph
        self._outside = outside
        self._app_id = app_id

    async def send(self, sender: SenderAccount, outgoing: OutgoingMessage) -> SendReply:
        """Hand a message over, once; see `ConversationPlatform`."""
        body = body_of(sender, outgoing)
        if isinstance(body, Rejection):
            return body
        reply = await self._graph.reach("POST", sender, f"{sender.platform_id}/messages", body=body)
        if reply is None:
            return Rejection("190", sentence_of("190"))
        answer = answer_of(reply, at=now())
        if not isinstance(answer, PlatformAcceptance):
            # Never a body: it may repeat a phone.
            status = reply.kind if isinstance(reply, Silence) else reply.status
            code = getattr(answer, "code", None)
            _log.warning(
                "meta_send",
                outcome=type(answer).__name__,
                status=status,
                code=code,
                message_id=outgoing.id,
            )
        return answer

    async def health(self, sender: SenderAccount) -> PlatformHealth:
        return await health.health_of(self._graph, sender)

    async def upload(
        self, sender: SenderAccount, file: Path, *, mime_type: str, filename: str
    ) -> str:
        return await files.upload(self._graph, sender, file, mime_type=mime_type, filename=filename)

    def download(
        self, sender: SenderAccount, media_id: str
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return files.download(self._graph, self._outside, sender, media_id)

    async def submit_template(
        self, sender: SenderAccount, draft: TemplateDraft
    ) -> TemplateSubmission:
        address = templates.example_address(draft.components)
        handle = None
        if address is not None:
            handle = await handle_of(
                self._graph, self._outside, sender, address, app_id=self._app_id
            )
        shaped = templates.components_of(draft.components, category=draft.category, handle=handle)
        return await templates.submit(self._graph, sender, replace(draft, components=shaped))

    async def template_status(self, sender: SenderAccount, template_id: str) -> TemplateSubmission:
        return await templates.status_of(self._graph, sender, template_id)

    async def remove_template(
        self, sender: SenderAccount, *, name: str, template_id: str | None
    ) -> None:
        await templates.remove(self._graph, sender, name=name, template_id=template_id)

    async def publish_flow(self, sender: SenderAccount, draft: FlowDraft) -> str:
        return await flows.publish(self._graph, sender, draft)

    async def deprecate_flow(self, sender: SenderAccount, flow_id: str) -> None:
        await flows.deprecate(self._graph, sender, flow_id)
