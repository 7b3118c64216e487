"""The way of a template to its approval, in the sandbox and on the platform."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import conversations, flows, templates
from core.foundation.clock import now
from core.foundation.errors import DependencyFailed, ServiceError
from core.foundation.security.caller import Caller
from core.providers.platform import TemplateNotice, TemplateSubmission, UpstreamError
from core.templates import Template, TemplateChanges
from core.templates.errors import NoTemplatePlatform, TemplateStatusConflict
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.templates import BODY, a_flow, a_template, the_template
from tests.fakes.approving_platform import ApprovingPlatform, conversing_by
from tests.support.told import audited, events

LATER = timedelta(days=1)
OTHER = [{"type": "BODY", "payload": {"text": "Até logo."}}]
APPROVED, REJECTED, PENDING = (
    TemplateSubmission("711", "approved"),
    TemplateSubmission("711", "rejected", "TAG"),
    TemplateSubmission("711", "pending"),
)
BUSY = UpstreamError("4", "The platform asks for patience.", retryable=True)
INVALID = UpstreamError("100", "The platform finds the template invalid.")
GONE = UpstreamError("100", "The platform does not know it.", gone=True)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def live(clean_slate: None) -> Caller:
    return await a_caller("live")


@pytest.fixture
def platform() -> Iterator[ApprovingPlatform]:
    platform = ApprovingPlatform()
    with conversing_by(platform):
        yield platform


async def told(caller: Caller) -> list[tuple[str, Any]]:
    return [(one["type"], one["data"]) for one in await events(caller.organization_id, "template.")]


async def work(at: datetime | None = None) -> int:
    return await templates.review_templates(at=at or now() + LATER)


# The sandbox -------------------------------------------------------------------------------------


async def test_the_sandbox_approves_after_its_delay(caller: Caller) -> None:
    draft = await a_template(caller, name="pedido")

    submitted = await templates.submit_template(caller, draft["id"])
    early = await work(now())
    waiting = (await the_template(draft["id"])).status
    taken = await work()

    assert (submitted["status"], early, waiting, taken) == ("submitted", 0, "submitted", 1)
    record = await templates.get_template(caller, draft["id"])
    assert (record["status"], record["version"]) == ("approved", 1)
    assert record["metaTemplateId"] == f"sandbox_{draft['id']}"
    facts = {
        "templateId": draft["id"],
        "name": "pedido",
        "language": "pt-BR",
        "version": 1,
        "env": "test",
    }
    assert await told(caller) == [("template.approved", facts)]
    assert [one["action"] for one in await audited(caller.organization_id, "template.")] == [
        "template.created",
        "template.submitted",
    ]
    assert await work() == 0


async def test_the_sandbox_rejects_what_its_name_asks_it_to(caller: Caller) -> None:
    draft = await a_template(caller, name="pedido_reject")
    await templates.submit_template(caller, draft["id"])

    await work()

    record = await templates.get_template(caller, draft["id"])
    assert (record["status"], record["rejectionReason"]) == (
        "rejected",
        "The sandbox rejects templates whose name ends in _reject.",
    )
    [(name, data)] = await told(caller)
    assert (name, data["rejectionReason"]) == ("template.rejected", record["rejectionReason"])


@pytest.mark.parametrize(
    "status", ["submitted", "pending", "approved", "rejected", "paused", "disabled"]
)
async def test_only_a_draft_is_submitted(caller: Caller, status: str) -> None:
    template = await a_template(caller, status=status)

    with pytest.raises(TemplateStatusConflict):
        await templates.submit_template(caller, template["id"])

    assert (await the_template(template["id"])).status == status


async def test_an_approved_version_takes_the_place_of_the_one_before(caller: Caller) -> None:
    first = await a_template(caller, status="approved")
    second = await templates.change_template(
        caller, first["id"], TemplateChanges.model_validate({"components": OTHER})
    )
    await templates.submit_template(caller, second["id"])
    usable = await templates.template_for_sending(caller, first["id"], first["numberId"])

    await work()

    assert usable.id == first["id"]
    assert (await the_template(first["id"])).status == "disabled"
    assert (await the_template(second["id"])).status == "approved"
    assert [name for name, _ in await told(caller)] == ["template.approved"]
    with pytest.raises(ServiceError) as refusal:
        await templates.template_for_sending(caller, first["id"], first["numberId"])
    assert refusal.value.meta == {
        "code": "TEMPLATE_INDISPONIVEL",
        "status": "disabled",
        "substituidoPor": second["id"],
    }


async def test_a_rejected_version_leaves_the_one_before_in_use(caller: Caller) -> None:
    first = await a_template(caller, name="a_reject", status="approved")
    second = await templates.change_template(
        caller, first["id"], TemplateChanges.model_validate({"components": OTHER})
    )
    await templates.submit_template(caller, second["id"])

    await work()

    assert (await the_template(first["id"])).status == "approved"
    assert (await the_template(second["id"])).status == "rejected"


# The platform ------------------------------------------------------------------------------------


async def submitted(live: Caller, **changes: Any) -> str:
    template = await a_template(live, **changes)
    await templates.submit_template(live, template["id"])
    return str(template["id"])


async def test_without_a_platform_nothing_is_submitted(live: Caller) -> None:
    template = await a_template(live)

    with pytest.raises(NoTemplatePlatform):
        await templates.submit_template(live, template["id"])

    row = await the_template(template["id"])
    assert (row.status, row.due_at) == ("draft", None)


async def test_a_live_template_leaves_by_a_worker_and_waits(
    live: Caller, platform: ApprovingPlatform
) -> None:
    number = await a_number(live)
    flow = await a_flow(live, number.id)
    platform.answers = ["flow-9"]
    await flows.publish_flow(live, flow["id"])
    components = [
        {"type": "HEADER", "payload": {"format": "IMAGE"}},
        BODY,
        {
            "type": "BUTTONS",
            "payload": {"buttons": [{"type": "FLOW", "text": "Abrir", "flowId": flow["id"]}]},
        },
    ]
    platform.calls.clear()
    id = await submitted(
        live,
        number_id=number.id,
        components=components,
        headerExampleUrl="https://example.com/a.png",
    )
    assert platform.calls == []

    await work(now())

    row = await the_template(id)
    assert (row.status, row.meta_template_id) == ("pending", "711")
    assert row.due_at is not None
    assert row.due_at > now()
    assert platform.calls == [
        (
            "submit_template",
            {
                "sender": number.phone_number_id,
                "name": row.name,
                "language": "pt-BR",
                "category": "utility",
                "components": [
                    {
                        "type": "HEADER",
                        "payload": {"format": "IMAGE", "example": "https://example.com/a.png"},
                    },
                    BODY,
                    {
                        "type": "BUTTONS",
                        "payload": {
                            "buttons": [{"type": "FLOW", "text": "Abrir", "flowId": "flow-9"}]
                        },
                    },
                ],
                "template_id": None,
            },
        )
    ]
    assert await told(live) == []
    assert await work(now()) == 0


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        (APPROVED, "approved", None),
        (REJECTED, "rejected", "TAG"),
        (INVALID, "rejected", "The platform finds the template invalid."),
        (BUSY, "submitted", None),
    ],
)
async def test_what_the_platform_answers_to_a_template(
    live: Caller, platform: ApprovingPlatform, answer: Any, status: str, reason: str | None
) -> None:
    id = await submitted(live)
    platform.answer = answer

    await work(now())

    row = await the_template(id)
    assert (row.status, row.rejection_reason) == (status, reason)
    assert (row.due_at is None) == (status != "submitted")
    assert [name for name, _ in await told(live)] == (
        [] if status == "submitted" else [f"template.{status}"]
    )


async def test_what_was_put_off_is_tried_again(live: Caller, platform: ApprovingPlatform) -> None:
    id = await submitted(live)
    platform.answers = [BUSY, RuntimeError("a fault of ours")]  # type: ignore[list-item]

    await work(now())
    assert await work(now()) == 0
    await work()
    await work(now() + 2 * LATER)

    assert [method for method, _ in platform.calls] == ["submit_template"] * 3
    assert (await the_template(id)).status == "pending"


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        (PENDING, "pending", None),
        (APPROVED, "approved", None),
        (REJECTED, "rejected", "TAG"),
        (GONE, "rejected", "The platform no longer knows this template."),
        (BUSY, "pending", None),
        (INVALID, "pending", None),
    ],
)
async def test_a_pending_template_is_asked_after(
    live: Caller, platform: ApprovingPlatform, answer: Any, status: str, reason: str | None
) -> None:
    id = await submitted(live)
    await work(now())
    platform.answer = answer

    await work()

    row = await the_template(id)
    assert platform.calls[-1] == (
        "template_status",
        {"sender": platform.calls[0][1]["sender"], "template_id": "711"},
    )
    assert (row.status, row.rejection_reason) == (status, reason)
    assert (row.due_at is not None) == (status == "pending")


async def test_a_new_version_edits_the_one_that_the_platform_knows(
    live: Caller, platform: ApprovingPlatform
) -> None:
    platform.answer = APPROVED
    first = await submitted(live)
    await work(now())
    second = await templates.change_template(
        live, first, TemplateChanges.model_validate({"components": OTHER})
    )
    await templates.submit_template(live, second["id"])

    await work(now())

    assert platform.calls[-1][1]["template_id"] == "711"
    assert (await the_template(first)).status == "disabled"
    assert (await the_template(second["id"])).meta_template_id == "711"


async def test_a_platform_that_went_away_is_waited_for(
    live: Caller, platform: ApprovingPlatform
) -> None:
    id = await submitted(live)

    with conversing_by(None):
        await work(now())

    row = await the_template(id)
    assert row.status == "submitted"
    assert row.due_at is not None


async def test_every_template_of_a_batch_is_looked_after(
    real_commits: None, platform: ApprovingPlatform
) -> None:
    live = await a_caller("live")
    number = await a_number(live)
    ids = [await submitted(live, number_id=number.id) for _ in range(12)]
    platform.answers = [INVALID]

    assert await work(now()) == 12

    statuses = sorted([(await the_template(id)).status.value for id in ids])
    assert statuses == ["pending"] * 11 + ["rejected"]


# Deleting there ----------------------------------------------------------------------------------


async def test_the_platform_forgets_a_template_first(
    live: Caller, platform: ApprovingPlatform
) -> None:
    platform.answer = APPROVED
    id = await submitted(live)
    await work(now())
    name = (await the_template(id)).name
    platform.answers = [UpstreamError("2", "Broken.", retryable=True)]

    with pytest.raises(DependencyFailed):
        await conversations.delete_template(live, id)
    assert (await the_template(id)).status == "approved"
    platform.answers = [GONE]
    await conversations.delete_template(live, id)

    assert platform.calls[-1][0] == "remove_template"
    assert {**platform.calls[-1][1], "sender": ""} == {
        "sender": "",
        "name": name,
        "template_id": "711",
    }
    assert not await Template.all().exists()


async def test_what_the_platform_never_saw_or_needs_for_another_version_stays_there(
    live: Caller, platform: ApprovingPlatform
) -> None:
    draft = await a_template(live)
    used = await a_template(live, status="approved")
    await a_template(live, used["numberId"], name="twin")
    await Template.filter(number_id=used["numberId"]).update(meta_template_id="9")

    await conversations.delete_template(live, draft["id"])
    await conversations.delete_template(live, used["id"])

    assert platform.calls == []
    assert await Template.all().count() == 1


# Notices -----------------------------------------------------------------------------------------


async def a_known_template(live: Caller, status: str) -> tuple[str, str]:
    """Its id and the account of its number."""
    number = await a_number(live)
    template = await a_template(live, number.id, status=status)
    await Template.filter(id=template["id"]).update(meta_template_id="711", due_at=now())
    return template["id"], number.waba_id


def notice(
    account: str, status: str, *, reason: str | None = None, at: datetime | None = None
) -> TemplateNotice:
    return TemplateNotice(account, "711", status, reason, at or now())


@pytest.mark.parametrize(
    ("status", "noticed", "becomes"),
    [
        ("pending", "approved", "approved"),
        ("submitted", "approved", "approved"),
        ("submitted", "pending", "pending"),
        ("pending", "rejected", "rejected"),
        ("approved", "paused", "paused"),
        ("paused", "approved", "approved"),
        ("approved", "disabled", "disabled"),
        ("paused", "disabled", "disabled"),
        ("approved", "rejected", "paused"),
        ("disabled", "approved", "disabled"),
        ("rejected", "approved", "rejected"),
        ("draft", "approved", "draft"),
        ("approved", "approved", "approved"),
        ("pending", "paused", "pending"),
        ("approved", "pending", "approved"),
        ("approved", "in_appeal", "approved"),
    ],
)
async def test_a_notice_moves_a_template_only_as_templates_move(
    live: Caller, status: str, noticed: str, becomes: str
) -> None:
    id, account = await a_known_template(live, status)

    await templates.apply_notices([notice(account, noticed, reason="because")], now())

    assert (await the_template(id)).status == becomes
    told_of = becomes in ("approved", "rejected") and becomes != status
    assert [name for name, _ in await told(live)] == ([f"template.{becomes}"] if told_of else [])


async def test_notices_are_taken_in_the_order_in_which_things_happened(live: Caller) -> None:
    id, account = await a_known_template(live, "pending")

    await templates.apply_notices(
        [notice(account, "paused"), notice(account, "approved", at=now() - timedelta(hours=1))],
        now(),
    )

    assert (await the_template(id)).status == "paused"


async def test_a_notice_about_another_account_changes_nothing(live: Caller) -> None:
    id, _ = await a_known_template(live, "pending")

    await templates.apply_notices([notice("another", "approved")], now())

    assert (await the_template(id)).status == "pending"


async def test_a_notice_is_about_the_version_under_review_before_the_one_in_use(
    live: Caller,
) -> None:
    used, account = await a_known_template(live, "approved")
    newer = await templates.change_template(
        live, used, TemplateChanges.model_validate({"components": OTHER})
    )
    await Template.filter(id=newer["id"]).update(status="pending", meta_template_id="711")

    await templates.apply_notices([notice(account, "rejected", reason="TAG")], now())

    assert (await the_template(used)).status == "approved"
    row = await the_template(newer["id"])
    assert (row.status, row.rejection_reason) == ("rejected", "TAG")
