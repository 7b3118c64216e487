"""Writing, changing and deleting templates."""

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from core import conversations, flows, templates
from core.audit import AuditEntry
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.messaging import Message
from core.templates import NewTemplate, Template, TemplateChanges, TemplateFilter
from core.templates.errors import (
    ImmutableTemplateCategory,
    ImmutableTemplateName,
    NewerTemplateVersion,
    TemplateInUse,
    TemplateNameTaken,
    TemplateStatusConflict,
    UnknownTemplateNumber,
)
from tests.factories.batches import ANA, a_bulk, a_desk, messages_of
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.templates import BODY, a_flow, a_new_template, a_template, the_template

OTHER = [{"type": "BODY", "payload": {"text": "Até logo."}}]


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


def changes(**fields: Any) -> TemplateChanges:
    return TemplateChanges.model_validate(fields)


async def test_a_template_begins_as_a_draft(caller: Caller) -> None:
    number = await a_number(caller)

    record = await templates.create_template(caller, a_new_template(number.id, name="pedido_saiu"))

    assert record == {
        "id": record["id"],
        "organizationId": caller.organization_id,
        "numberId": number.id,
        "name": "pedido_saiu",
        "language": "pt-BR",
        "category": "utility",
        "status": "draft",
        "components": [BODY],
        "variaveis": [
            {"componente": "BODY", "indice": 1, "exemplo": "Ana"},
            {"componente": "BODY", "indice": 2, "exemplo": "1042"},
        ],
        "version": 1,
        "createdAt": record["createdAt"],
        "updatedAt": record["createdAt"],
    }
    assert await templates.get_template(caller, record["id"]) == record
    assert await AuditEntry.filter(action="template.created", subject_id=record["id"]).exists()


async def test_the_number_is_one_of_the_callers(caller: Caller) -> None:
    foreign = await a_number(await a_caller())
    live = await a_caller("live", organization_id=caller.organization_id)

    for id in (foreign.id, (await a_number(live)).id, "num_nope"):
        with pytest.raises(UnknownTemplateNumber):
            await templates.create_template(caller, a_new_template(id))

    assert await Template.all().count() == 0


async def test_a_name_stands_once_per_number_and_language(caller: Caller) -> None:
    number, other = await a_number(caller), await a_number(caller)
    await a_template(caller, number.id, name="a")
    await a_template(caller, number.id, name="a", language="en-US")
    await a_template(caller, other.id, name="a")

    with pytest.raises(TemplateNameTaken):
        await a_template(caller, number.id, name="a")

    assert await Template.all().count() == 3


async def test_the_name_of_a_template_whose_version_moved_on_is_taken_too(caller: Caller) -> None:
    template = await a_template(caller, name="a", status="rejected")
    await templates.change_template(caller, template["id"], changes(components=OTHER))

    with pytest.raises(TemplateNameTaken):
        await a_template(caller, template["numberId"], name="a")


async def test_of_two_that_come_at_once_one_has_the_name(real_commits: None) -> None:
    caller = await a_caller()
    number = await a_number(caller)

    results = await asyncio.gather(
        *(a_template(caller, number.id, name="a") for _ in range(4)), return_exceptions=True
    )

    assert sorted(type(one).__name__ for one in results) == ["TemplateNameTaken"] * 3 + ["dict"]


async def test_a_button_opens_a_flow_of_the_number(caller: Caller) -> None:
    number = await a_number(caller)

    def opening(flow_id: str) -> NewTemplate:
        button = {"type": "FLOW", "text": "Abrir", "flowId": flow_id}
        return a_new_template(
            number.id, components=[BODY, {"type": "BUTTONS", "payload": {"buttons": [button]}}]
        )

    with pytest.raises(ValidationFailed) as refusal:
        await templates.create_template(caller, opening((await a_flow(caller))["id"]))
    own = await a_flow(caller, number.id)
    record: dict[str, Any] = {**await templates.create_template(caller, opening(own["id"]))}

    assert refusal.value.errors[0].where == "/components/1/payload/buttons/0/flowId"
    assert record["components"][1]["payload"]["buttons"][0]["flowId"] == own["id"]
    with pytest.raises(ServiceError) as refused:
        await templates.submit_template(caller, record["id"])
    assert refused.value.meta == {"code": "FLOW_INDISPONIVEL"}
    await flows.publish_flow(caller, own["id"])
    assert (await templates.submit_template(caller, record["id"]))["status"] == "submitted"


async def test_components_that_do_not_go_with_the_category_are_refused(caller: Caller) -> None:
    number = await a_number(caller)
    with pytest.raises(ValidationError):
        await a_template(caller, number.id, category="authentication")
    template = await a_template(caller, number.id)
    with pytest.raises(ValidationFailed) as refusal:
        await templates.change_template(caller, template["id"], changes(category="authentication"))

    assert [error.where for error in refusal.value.errors] == [
        "/components/0/payload/text",
        "/components",
    ]
    assert (await the_template(template["id"])).category == "utility"


# Changing ----------------------------------------------------------------------------------------


async def test_a_draft_is_changed_in_place(caller: Caller) -> None:
    draft = await a_template(caller)

    changed = await templates.change_template(
        caller,
        draft["id"],
        changes(name="b", language="es-ES", category="marketing", components=OTHER),
    )

    assert changed == {
        **draft,
        "name": "b",
        "language": "es-ES",
        "category": "marketing",
        "components": OTHER,
        "variaveis": [],
        "updatedAt": changed["updatedAt"],
    }
    assert await Template.all().count() == 1


async def test_a_draft_takes_no_name_that_is_taken(caller: Caller) -> None:
    one = await a_template(caller, name="a")
    other = await a_template(caller, one["numberId"], name="b")

    with pytest.raises(TemplateNameTaken):
        await templates.change_template(caller, other["id"], changes(name="a"))

    assert (await the_template(other["id"])).name == "b"


async def test_a_rejected_template_becomes_a_draft_of_the_next_version(caller: Caller) -> None:
    rejected = await a_template(caller, status="rejected")
    await Template.filter(id=rejected["id"]).update(rejection_reason="INVALID_FORMAT")

    changed = await templates.change_template(caller, rejected["id"], changes(components=OTHER))

    assert (changed["id"], changed["status"], changed["version"]) == (rejected["id"], "draft", 2)
    assert "rejectionReason" not in changed
    assert "versaoDe" not in changed


@pytest.mark.parametrize("status", ["approved", "paused"])
async def test_a_template_in_use_stays_and_a_new_version_is_drafted(
    caller: Caller, status: str
) -> None:
    used = await a_template(caller, status=status)
    await Template.filter(id=used["id"]).update(meta_template_id="711")

    changed = await templates.change_template(caller, used["id"], changes(components=OTHER))

    assert changed["id"] != used["id"]
    assert (changed["versaoDe"], changed["version"], changed["status"]) == (used["id"], 2, "draft")
    assert (changed["name"], changed["components"]) == (used["name"], OTHER)
    assert "metaTemplateId" not in changed
    kept = await templates.get_template(caller, used["id"])
    assert (kept["status"], kept["components"], kept["version"]) == (status, [BODY], 1)
    with pytest.raises(NewerTemplateVersion) as refusal:
        await templates.change_template(caller, used["id"], changes(components=OTHER))
    assert refusal.value.meta == {"code": "VERSAO_EM_EDICAO", "templateId": changed["id"]}


async def test_two_changes_at_once_make_one_new_version(real_commits: None) -> None:
    caller = await a_caller()
    used = await a_template(caller, status="approved")

    results = await asyncio.gather(
        *(
            templates.change_template(caller, used["id"], changes(components=OTHER))
            for _ in range(4)
        ),
        return_exceptions=True,
    )

    assert sorted(type(one).__name__ for one in results) == ["NewerTemplateVersion"] * 3 + ["dict"]


@pytest.mark.parametrize("status", ["submitted", "pending", "disabled"])
async def test_a_template_under_review_or_disabled_is_not_changed(
    caller: Caller, status: str
) -> None:
    template = await a_template(caller, status=status)

    with pytest.raises(TemplateStatusConflict) as refusal:
        await templates.change_template(caller, template["id"], changes(components=OTHER))

    assert refusal.value.meta == {"code": "STATUS_NAO_PERMITE", "status": status}
    assert (await the_template(template["id"])).components == [BODY]


@pytest.mark.parametrize("status", ["approved", "rejected"])
async def test_name_and_language_stay_once_it_was_submitted(caller: Caller, status: str) -> None:
    template = await a_template(caller, status=status)

    for change in ({"name": "other"}, {"language": "en-US"}):
        with pytest.raises(ImmutableTemplateName):
            await templates.change_template(caller, template["id"], changes(**change))
    await templates.change_template(
        caller, template["id"], changes(name=template["name"], components=OTHER)
    )

    assert {one.name for one in await Template.all()} == {template["name"]}


async def test_nothing_sent_changes_nothing(caller: Caller) -> None:
    used = await a_template(caller, status="approved")

    assert (await templates.change_template(caller, used["id"], changes()))["id"] == used["id"]
    assert await Template.all().count() == 1


# Deleting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["draft", "rejected", "approved", "paused", "disabled"])
async def test_a_template_is_deleted_for_good(caller: Caller, status: str) -> None:
    template = await a_template(caller, status=status)

    await conversations.delete_template(caller, template["id"])

    assert not await Template.all().exists()
    entry = await AuditEntry.get(action="template.deleted", subject_id=template["id"])
    assert entry.facts == {"status": status}


@pytest.mark.parametrize("status", ["submitted", "pending"])
async def test_a_template_under_review_is_not_deleted(caller: Caller, status: str) -> None:
    template = await a_template(caller, status=status)

    with pytest.raises(TemplateStatusConflict):
        await conversations.delete_template(caller, template["id"])

    assert await Template.all().count() == 1


async def test_a_template_with_which_messages_wait_to_leave_is_not_deleted(caller: Caller) -> None:
    desk = await a_desk(caller)
    (message,) = await messages_of((await a_bulk(desk, ANA))["batchId"])

    with pytest.raises(TemplateInUse):
        await conversations.delete_template(caller, desk.template_id)
    # Taken for its hand-over, it waits for the platform's answer.
    await db.execute("DELETE FROM waiting_messages")
    await Message.filter(id=message["id"]).update(status="sending", settle_at=now())
    with pytest.raises(TemplateInUse):
        await conversations.delete_template(caller, desk.template_id)
    assert await Template.all().count() == 1

    await Message.filter(id=message["id"]).update(status="sent", settle_at=None)
    await conversations.delete_template(caller, desk.template_id)
    assert not await Template.all().exists()


async def test_messages_of_other_templates_do_not_keep_one(caller: Caller) -> None:
    desk = await a_desk(caller)
    await a_bulk(desk, ANA)
    other = await a_template(caller, desk.number_id, status="approved")

    await conversations.delete_template(caller, other["id"])

    assert await Template.all().count() == 1


@pytest.mark.parametrize(
    "known", [{"status": "approved"}, {"status": "paused"}, {"status": "rejected", "id": "711"}]
)
async def test_what_the_platform_knows_keeps_its_category(
    caller: Caller, known: dict[str, str]
) -> None:
    template = await a_template(caller, category="marketing", status=known["status"])
    await Template.filter(id=template["id"]).update(meta_template_id=known.get("id"))

    with pytest.raises(ImmutableTemplateCategory):
        await templates.change_template(
            caller, template["id"], changes(category="utility", components=OTHER)
        )
    assert await Template.all().count() == 1
    newer = await templates.change_template(
        caller, template["id"], changes(category="marketing", components=OTHER)
    )
    with pytest.raises(ImmutableTemplateCategory):
        await templates.change_template(caller, newer["id"], changes(category="utility"))

    assert {one.category for one in await Template.all()} == {"marketing"}


async def test_a_template_that_the_platform_never_saw_may_change_its_category(
    caller: Caller,
) -> None:
    template = await a_template(caller, category="marketing", status="rejected")

    changed = await templates.change_template(caller, template["id"], changes(category="utility"))

    assert (changed["category"], changed["status"]) == ("utility", "draft")


# Whose it is, and lists --------------------------------------------------------------------------


async def test_nobody_else_sees_or_touches_a_template(caller: Caller) -> None:
    template = await a_template(caller)
    live = await a_caller("live", organization_id=caller.organization_id)

    for other in (await a_caller(), live):
        for use_case in (
            templates.get_template(other, template["id"]),
            templates.change_template(other, template["id"], changes(name="x")),
            templates.submit_template(other, template["id"]),
            conversations.delete_template(other, template["id"]),
        ):
            with pytest.raises(NotFound):
                await use_case
        assert await templates.list_templates(other, TemplateFilter()) == {"items": [], "total": 0}
    assert await templates.get_template(caller, template["id"]) == template


async def test_each_use_case_asks_for_its_scope(caller: Caller) -> None:
    template = await a_template(caller)
    reader = await a_caller(
        scopes=frozenset({Scope.TEMPLATES_READ}), organization_id=caller.organization_id
    )
    writer = await a_caller(
        scopes=frozenset({Scope.TEMPLATES_WRITE}), organization_id=caller.organization_id
    )

    for use_case in (
        templates.create_template(reader, a_new_template(template["numberId"])),
        templates.change_template(reader, template["id"], changes(name="x")),
        templates.submit_template(reader, template["id"]),
        conversations.delete_template(reader, template["id"]),
        templates.get_template(writer, template["id"]),
        templates.list_templates(writer, TemplateFilter()),
    ):
        with pytest.raises(Forbidden):
            await use_case
    assert (await the_template(template["id"])).status == "draft"


async def test_a_list_is_narrowed_by_each_filter_and_is_newest_first(caller: Caller) -> None:
    number = await a_number(caller)
    first = await a_template(caller, number.id, language="en-US")
    second = await a_template(caller, number.id, category="marketing")
    third = await a_template(caller, status="approved")

    async def ids(**filter: Any) -> list[str]:
        page = await templates.list_templates(caller, TemplateFilter.model_validate(filter))
        assert page["total"] >= len(page["items"])
        return [one["id"] for one in page["items"]]

    assert await ids() == [third["id"], second["id"], first["id"]]
    assert await ids(language="en-US") == [first["id"]]
    assert await ids(category="marketing") == [second["id"]]
    assert await ids(status="approved") == [third["id"]]
    assert await ids(numberId=number.id) == [second["id"], first["id"]]
    assert await ids(numberId=number.id, status="approved") == []
    assert await ids(limit=1, skip=1) == [second["id"]]
    page = await templates.list_templates(caller, TemplateFilter(limit=2))
    assert await ids(cursor=page["nextCursor"]) == [first["id"]]
