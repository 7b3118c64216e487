"""Use cases: validate a flow, and publish it on the platform."""

from hashlib import sha256

import orjson

from core import audit
from core.flows.errors import InvalidFlow, NoFlowPlatform, PublicationInProgress
from core.flows.lock_flow import lock_flow, refuse_being_published
from core.flows.models import Flow, FlowStatus, MetaStatus
from core.flows.queries import the_flow
from core.flows.record import FlowRecord, flow_record
from core.flows.validation import ValidationRecord, validate_flow_json
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.errors import DependencyFailed, FieldError
from core.foundation.security.caller import Caller, Scope
from core.numbers import Number, sender_account_of
from core.providers import registry
from core.providers.platform import ConversationPlatform, FlowDraft, UpstreamError

MAX_NAME_LENGTH = 160
"""Characters of a flow's name in its name on the platform."""

ONLY_DRAFTS = "Only a draft can be published."


async def validate_flow(caller: Caller, id: str) -> ValidationRecord:
    """What keeps a flow from being published. Raises NotFound."""
    caller.require(Scope.FLOWS_WRITE)
    return validate_flow_json((await the_flow(caller, id)).flow_json).record()


async def publish_flow(caller: Caller, id: str) -> FlowRecord:
    """Publish a draft; answers the record, which is active from then on.

    A live one is handed to the platform between two transactions. The first marks it, so that it is
    neither changed nor handed over twice meanwhile. Where the second never comes, the next
    publication of the same content finds on the platform what this one left. Raises NotFound,
    FlowStatusConflict, InvalidFlow, PublicationInProgress, NoFlowPlatform, and DependencyFailed when the platform
    does not take it: then it stays a draft.
    """
    caller.require(Scope.FLOWS_WRITE)
    refuse_dry_run()
    at = now()
    platform = registry.for_conversations() if caller.env == "live" else None
    async with transaction():
        draft = await lock_flow(caller, id, allowed=(FlowStatus.DRAFT,), otherwise=ONLY_DRAFTS)
        refuse_being_published(draft, at=at)
        if errors := validate_flow_json(draft.flow_json).errors:
            raise InvalidFlow(
                [FieldError("pointer", one.pointer, one.code, one.message) for one in errors]
            )
        if caller.env == "test":
            return await _activate(caller, draft, f"sandbox_{id}")
        if platform is None:
            raise NoFlowPlatform
        draft.meta_status, draft.updated_at = MetaStatus.DRAFT, at
        await draft.save(update_fields=["meta_status", "updated_at"])
    try:
        platform_id = await _hand_over(draft, platform)
    except Exception as error:
        await (
            Flow.visible_to(caller).filter(id=id, status=FlowStatus.DRAFT).update(meta_status=None)
        )
        if not isinstance(error, UpstreamError):
            raise
        facts = {"upstreamCode": error.code}
        raise DependencyFailed(
            "The platform did not take the flow; it stays a draft.", meta=facts
        ) from None
    async with transaction():
        handed, draft = (
            draft,
            await lock_flow(caller, id, allowed=(FlowStatus.DRAFT,), otherwise=ONLY_DRAFTS),
        )
        if _name_there(draft) != _name_there(
            handed
        ):  # it took so long that the mark ran out, and it was changed
            raise PublicationInProgress
        return await _activate(caller, draft, platform_id)


async def _hand_over(flow: Flow, platform: ConversationPlatform) -> str:
    number = await Number.get(id=flow.number_id, organization_id=flow.organization_id, env=flow.env)
    draft = FlowDraft(
        flow_id=flow.meta_flow_id,
        name=_name_there(flow),
        categories=flow.meta_categories,
        flow_json=flow.flow_json,
    )
    return await platform.publish_flow(sender_account_of(number), draft)


def _name_there(flow: Flow) -> str:
    """What the platform's own pages call the flow. A name stands once in an account there; its last
    part is of this record with this content, so that whatever has the name is what is being
    published.
    """
    content = orjson.dumps(
        [flow.id, flow.meta_categories, flow.flow_json], option=orjson.OPT_SORT_KEYS
    )
    version = "" if flow.version == 1 else f" v{flow.version}"
    return f"{flow.name[:MAX_NAME_LENGTH].rstrip()}{version} {sha256(content).hexdigest()[:10]}"


async def _activate(caller: Caller, flow: Flow, platform_id: str) -> FlowRecord:
    at = now()
    flow.status, flow.meta_status, flow.meta_flow_id = (
        FlowStatus.ACTIVE,
        MetaStatus.PUBLISHED,
        platform_id,
    )
    flow.published_at = flow.updated_at = at
    await flow.save(
        update_fields=["status", "meta_status", "meta_flow_id", "published_at", "updated_at"]
    )
    await audit.write_entry(caller, "flow.published", flow.id, {"version": flow.version}, at=at)
    return flow_record(flow)
