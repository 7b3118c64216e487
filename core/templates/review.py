"""The review job: submits templates to the platform, and polls its decisions.

A batch is leased while its worker lives; one that dies leaves its templates to the next. The
platform is called outside every transaction, and what it answers counts only for a template that
still waits for it.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any, TypedDict, cast

import structlog

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.leases import LEASE, Lease
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.foundation.security.secrets import CannotDecrypt
from core.numbers import Number, sender_account_of
from core.providers import registry
from core.providers.platform import (
    ConversationPlatform,
    SenderAccount,
    TemplateDraft,
    TemplateSubmission,
    UpstreamError,
)
from core.templates.apply_decisions import Decision, apply_decisions
from core.templates.models import Template, TemplateStatus
from core.templates.validation.components import MEDIA

log = structlog.get_logger()

BATCH_SIZE = 50
MAX_CONCURRENT_REVIEWS = 8
SOONEST, LATEST = timedelta(seconds=30), timedelta(hours=1)

REFUSED_IN_SANDBOX = "The sandbox rejects templates whose name ends in _reject."
UNKNOWN_TO_PLATFORM = "The platform no longer knows this template."


class TemplateRow(TypedDict):
    """A template that is due, as CLAIM answers it."""

    id: str
    organization_id: str
    env: str
    number_id: str
    name: str
    language: str
    category: str
    status: str
    components: list[dict[str, object]]
    header_example_url: str | None
    meta_template_id: str | None
    version_of: str | None
    updated_at: datetime


async def review_templates(*, at: datetime) -> int:
    """Take care of the templates that are due. Answers how many they were."""
    claimed = await db.fetch(*narrowed(CLAIM, at, BATCH_SIZE, at + LEASE))
    rows = cast("list[TemplateRow]", claimed)
    if not rows:
        return 0
    async with transaction():
        await apply_decisions([_of_the_sandbox(row) for row in rows if row["env"] == "test"], at=at)
    live = [row for row in rows if row["env"] == "live"]
    waiting = iter(live)

    async def one_after_the_other() -> None:
        for row in waiting:
            await _look_after(row)

    lease = Lease("templates", "due_at", column(live, "id"), until=at + LEASE)
    async with lease.kept(), asyncio.TaskGroup() as group:
        for _ in range(min(MAX_CONCURRENT_REVIEWS, len(rows))):
            group.create_task(one_after_the_other())
    return len(rows)


def _of_the_sandbox(row: TemplateRow) -> Decision:
    if row["name"].endswith("_reject"):
        return Decision(row["id"], TemplateStatus.REJECTED, REFUSED_IN_SANDBOX)
    return Decision(
        row["id"],
        TemplateStatus.APPROVED,
        platform_id=row["meta_template_id"] or f"sandbox_{row['id']}",
    )


async def _look_after(row: TemplateRow) -> None:
    """One template; a fault with it stops none of the others."""
    platform = registry.for_conversations()
    decision = None
    try:
        if platform is not None and (sender := await _sender_account_of(row)) is not None:
            decision = await _ask(platform, sender, row)
    except UpstreamError as failed:
        log.warning("template_put_off", template=row["id"], code=failed.code)
    except Exception:
        log.exception("template_review_failed", template=row["id"])
    at = now()
    if decision is None:
        waiting = Template.filter(
            id=row["id"],
            organization_id=row["organization_id"],
            status=row["status"],
            due_at__isnull=False,
        )
        await waiting.update(due_at=at + _pause(row, at=at))
    else:
        async with transaction():
            await apply_decisions([decision], at=at)


async def _sender_account_of(row: TemplateRow) -> SenderAccount | None:
    """None while its access token cannot be read."""
    number = await Number.get_or_none(
        id=row["number_id"], organization_id=row["organization_id"], env=row["env"]
    )
    try:
        return None if number is None else sender_account_of(number)
    except CannotDecrypt:
        log.warning("credentials_unreadable", number=row["number_id"])
        return None


async def _ask(
    platform: ConversationPlatform, sender: SenderAccount, row: TemplateRow
) -> Decision | None:
    """What to do with the template now; None: nothing is known yet. Raises UpstreamError for what
    may go well later.
    """
    try:
        if row["status"] == TemplateStatus.SUBMITTED:
            draft = TemplateDraft(
                name=row["name"],
                language=row["language"],
                category=row["category"],
                components=await _components_there(row),
                template_id=row["meta_template_id"] or await _platform_id_of(row),
            )
            answer = await platform.submit_template(sender, draft)
        else:
            answer = await platform.template_status(sender, cast(str, row["meta_template_id"]))
    except UpstreamError as failed:
        if failed.gone and row["status"] == TemplateStatus.PENDING:
            return Decision(row["id"], TemplateStatus.REJECTED, UNKNOWN_TO_PLATFORM)
        if failed.retryable or row["status"] == TemplateStatus.PENDING:
            raise
        return Decision(row["id"], TemplateStatus.REJECTED, failed.error)
    return _decision(row, answer)


def _decision(row: TemplateRow, answer: TemplateSubmission) -> Decision | None:
    at = now()
    match answer.status:
        case "approved":
            return Decision(row["id"], TemplateStatus.APPROVED, platform_id=answer.template_id)
        case "rejected":
            return Decision(
                row["id"], TemplateStatus.REJECTED, answer.rejection_reason, answer.template_id
            )
    if row["status"] == TemplateStatus.PENDING:
        return None
    return Decision(row["id"], TemplateStatus.PENDING, None, answer.template_id, at + SOONEST)


async def _components_there(row: TemplateRow) -> list[dict[str, object]]:
    """The components with the platform's ids of flows, and the example of the header's file at its
    place.
    """
    components: list[dict[str, Any]] = [dict(one) for one in row["components"]]
    for one in components:
        payload = dict(one.get("payload") or {})
        if (
            one["type"] == "HEADER"
            and payload["format"] in MEDIA
            and row["header_example_url"] is not None
        ):
            payload.setdefault("example", row["header_example_url"])
        if one["type"] == "BUTTONS":
            payload["buttons"] = [await _button_there(row, button) for button in payload["buttons"]]
        one["payload"] = payload
    return components


async def _button_there(row: TemplateRow, button: dict[str, object]) -> dict[str, object]:
    if button["type"] != "FLOW":
        return button
    flow = await db.fetchval(FLOW, row["organization_id"], row["env"], button["flowId"])
    return {**button, "flowId": flow}


async def _platform_id_of(row: TemplateRow) -> str | None:
    """The platform knows all versions of a template under one id."""
    if not row["version_of"]:
        return None
    before = await Template.get_or_none(
        id=row["version_of"], organization_id=row["organization_id"]
    )
    return None if before is None else before.meta_template_id


def _pause(row: TemplateRow, *, at: datetime) -> timedelta:
    """The longer it waits, the longer the pauses."""
    waited: timedelta = at - row["updated_at"]
    return min(max(waited / 2, SOONEST), LATEST)


CLAIM = """
UPDATE templates SET due_at = $3
WHERE id = ANY (ARRAY(
    SELECT id FROM templates WHERE due_at <= $1 /* whose */ ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING *
"""

NEXT_REVIEW = "SELECT min(due_at) FROM templates WHERE organization_id = $1 AND env = 'test'"
"""When the next template of a sandbox is decided about."""

FLOW = "SELECT meta_flow_id FROM flows WHERE organization_id = $1 AND env = $2 AND id = $3"
