"""The life of a flow."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from core import flows
from core.flows import Flow, FlowChanges, FlowFilter, FlowUnavailable, UnknownFlow
from core.flows.errors import (
    FlowStatusConflict,
    InvalidFlow,
    NewerFlowVersion,
    NoFlowPlatform,
    PublicationInProgress,
    UnknownFlowNumber,
)
from core.foundation.clock import now
from core.foundation.errors import DependencyFailed, Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from core.providers.platform import FlowNotice, UpstreamError
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.templates import a_flow, a_new_flow, a_screen
from tests.fakes.approving_platform import ApprovingPlatform, conversing_by
from tests.support.told import audited

OTHER = {"screens": [a_screen("OUTRA")]}
BROKEN = {"screens": [a_screen(terminal=False)]}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def live(clean_slate: None) -> Caller:
    return await a_caller("live")


@pytest.fixture
def platform() -> Iterator[ApprovingPlatform]:
    platform = ApprovingPlatform()
    platform.answer = "flow-9"
    with conversing_by(platform):
        yield platform


def changes(**fields: Any) -> FlowChanges:
    return FlowChanges.model_validate(fields)


async def status_of(id: str) -> tuple[str, str | None]:
    flow = await Flow.get(id=id)
    return flow.status.value, flow.meta_status.value if flow.meta_status else None


async def in_status(caller: Caller, status: str) -> str:
    """The id of a flow that got there by itself or by the shortest way."""
    flow = await a_flow(caller)
    await Flow.filter(id=flow["id"]).update(
        status=status,
        **(
            {}
            if status in ("draft", "archived")
            else {"meta_status": "PUBLISHED", "meta_flow_id": "9"}
        ),
    )
    return str(flow["id"])


async def test_a_flow_begins_as_a_draft(caller: Caller) -> None:
    number = await a_number(caller)

    record = await flows.create_flow(caller, a_new_flow(number.id, description="Depois da compra"))

    assert record == {
        "id": record["id"],
        "organizationId": caller.organization_id,
        "numberId": number.id,
        "name": "Pesquisa",
        "description": "Depois da compra",
        "status": "draft",
        "version": 1,
        "metaCategories": ["SURVEY"],
        "flowJson": {"version": "6.2", "data_api_version": "3.0", "screens": [a_screen()]},
        "createdAt": record["createdAt"],
        "updatedAt": record["createdAt"],
    }
    assert await flows.get_flow(caller, record["id"]) == record


async def test_a_draft_may_be_unfinished(caller: Caller) -> None:
    number = await a_number(caller)

    record = await flows.create_flow(
        caller, flows.NewFlow.model_validate({"numberId": number.id, "name": "Vazio"})
    )

    shown: dict[str, Any] = {**record["flowJson"]}
    assert shown == {"version": "6.2", "data_api_version": "3.0", "screens": []}
    assert record["metaCategories"] == ["OTHER"]


async def test_what_is_kept_beside_the_flow_is_never_shown(caller: Caller) -> None:
    flow = await a_flow(caller)
    stored = (await Flow.get(id=flow["id"])).flow_json
    hidden = {
        **stored,
        "endpoint_secret": "s",
        "builder_state": {},
        "screens": [{**stored["screens"][0], "send_config": 1}],
    }
    await Flow.filter(id=flow["id"]).update(flow_json=hidden)

    assert await flows.get_flow(caller, flow["id"]) == flow
    assert (await flows.list_flows(caller, FlowFilter()))["items"] == [flow]


async def test_the_number_is_one_of_the_callers(caller: Caller) -> None:
    foreign = await a_number(await a_caller())

    with pytest.raises(UnknownFlowNumber):
        await flows.create_flow(caller, a_new_flow(foreign.id))

    assert not await Flow.all().exists()


async def test_a_draft_is_changed_in_place(caller: Caller) -> None:
    draft = await a_flow(caller, description="x")

    changed = await flows.change_flow(
        caller,
        draft["id"],
        changes(name="b", description=None, metaCategories=["OTHER", "OTHER"], flowJson=OTHER),
    )

    assert (changed["id"], changed["version"], changed["name"]) == (draft["id"], 1, "b")
    assert (changed["metaCategories"], changed["flowJson"]["screens"][0]["id"]) == (
        ["OTHER"],
        "OUTRA",
    )
    assert "description" not in changed


@pytest.mark.parametrize("status", ["active", "paused"])
async def test_a_flow_in_use_stays_and_a_new_version_is_drafted(
    caller: Caller, status: str
) -> None:
    id = await in_status(caller, status)

    changed = await flows.change_flow(caller, id, changes(flowJson=OTHER))

    assert changed["id"] != id
    assert (changed["versaoDe"], changed["version"], changed["status"]) == (id, 2, "draft")
    assert {"metaFlowId", "metaStatus", "publishedAt"}.isdisjoint(changed)
    kept = await flows.get_flow(caller, id)
    assert (kept["status"], kept["flowJson"]["screens"][0]["id"], kept["version"]) == (
        status,
        "FIM",
        1,
    )
    with pytest.raises(NewerFlowVersion) as refusal:
        await flows.change_flow(caller, id, changes(name="x"))
    assert refusal.value.meta == {"code": "VERSAO_EM_EDICAO", "flowId": changed["id"]}


async def test_a_published_version_leaves_room_for_a_later_one(caller: Caller) -> None:
    first = await a_flow(caller, active=True)
    second = await flows.change_flow(caller, first["id"], changes(name="b"))
    await flows.publish_flow(caller, second["id"])

    third = await flows.change_flow(caller, first["id"], changes(name="c"))

    assert third["version"] == 3
    assert [await status_of(one["id"]) for one in (first, second)] == [("active", "PUBLISHED")] * 2


@pytest.mark.parametrize("status", ["deprecated", "archived"])
async def test_a_flow_that_is_over_is_not_changed(caller: Caller, status: str) -> None:
    id = await in_status(caller, status)

    with pytest.raises(FlowStatusConflict):
        await flows.change_flow(caller, id, changes(name="x"))

    assert (await Flow.get(id=id)).name == "Pesquisa"


# Publishing --------------------------------------------------------------------------------------


async def test_the_sandbox_publishes_at_once(caller: Caller) -> None:
    draft = await a_flow(caller)

    record = await flows.publish_flow(caller, draft["id"])

    assert (record["status"], record["metaStatus"]) == ("active", "PUBLISHED")
    assert record["metaFlowId"] == f"sandbox_{draft['id']}"
    assert record["publishedAt"] == record["updatedAt"]


async def test_a_flow_with_errors_is_not_published_and_they_are_named(caller: Caller) -> None:
    draft = await a_flow(caller, flowJson=BROKEN)

    found = await flows.validate_flow(caller, draft["id"])
    with pytest.raises(InvalidFlow) as refusal:
        await flows.publish_flow(caller, draft["id"])

    assert found["valido"] is False
    assert [(one["pointer"], one["codigo"]) for one in found["erros"]] == [
        ("/flowJson/screens", "terminal_missing")
    ]
    assert refusal.value.meta == {"code": "FLOW_INVALIDO"}
    assert [error.where for error in refusal.value.errors] == ["/flowJson/screens"]
    assert await status_of(draft["id"]) == ("draft", None)


async def test_a_valid_flow_says_so(caller: Caller) -> None:
    draft = await a_flow(caller)

    assert await flows.validate_flow(caller, draft["id"]) == {
        "valido": True,
        "erros": [],
        "avisos": [],
    }


async def test_without_a_platform_nothing_live_is_published(live: Caller) -> None:
    draft = await a_flow(live)

    with pytest.raises(NoFlowPlatform):
        await flows.publish_flow(live, draft["id"])

    assert await status_of(draft["id"]) == ("draft", None)


async def test_a_live_flow_is_handed_to_the_platform(
    live: Caller, platform: ApprovingPlatform
) -> None:
    draft = await a_flow(live)

    record = await flows.publish_flow(live, draft["id"])

    assert (record["status"], record["metaStatus"], record["metaFlowId"]) == (
        "active",
        "PUBLISHED",
        "flow-9",
    )
    [(method, told)] = platform.calls
    assert method == "publish_flow"
    assert (told["flow_id"], told["name"][:9], told["categories"]) == (
        None,
        "Pesquisa ",
        ["SURVEY"],
    )
    assert told["flow_json"] == draft["flowJson"]


async def test_each_flow_and_each_version_has_a_name_of_its_own_there(
    live: Caller, platform: ApprovingPlatform
) -> None:
    first = await flows.publish_flow(live, (await a_flow(live))["id"])
    second = await flows.change_flow(live, first["id"], changes(flowJson=OTHER))

    await flows.publish_flow(live, second["id"])
    await flows.publish_flow(live, (await a_flow(live, first["numberId"], name="Pesquisa"))["id"])

    names = [told["name"] for _, told in platform.calls]
    assert [name.rpartition(" ")[0] for name in names] == ["Pesquisa", "Pesquisa v2", "Pesquisa"]
    assert len(set(names)) == 3


async def test_a_publication_that_died_halfway_is_taken_up_under_the_same_name(
    live: Caller, platform: ApprovingPlatform
) -> None:
    draft = await a_flow(live)
    platform.answers = [UpstreamError("network", "No answer.", retryable=True)]

    with pytest.raises(DependencyFailed):
        await flows.publish_flow(live, draft["id"])
    await flows.publish_flow(live, draft["id"])

    first, second = (told["name"] for _, told in platform.calls)
    assert first == second


async def test_a_draft_that_was_changed_meanwhile_has_another_name_there(
    live: Caller, platform: ApprovingPlatform
) -> None:
    draft = await a_flow(live)
    platform.answers = [UpstreamError("network", "No answer.", retryable=True)]
    with pytest.raises(DependencyFailed):
        await flows.publish_flow(live, draft["id"])

    await flows.change_flow(live, draft["id"], changes(flowJson=OTHER))
    await flows.publish_flow(live, draft["id"])

    first, second = (told["name"] for _, told in platform.calls)
    assert first != second


async def test_what_was_changed_under_its_publication_does_not_count_as_published(
    live: Caller,
) -> None:
    draft = await a_flow(live)

    class Slow(ApprovingPlatform):
        async def publish_flow(self, sender: Any, told: Any) -> str:
            await Flow.filter(id=draft["id"]).update(updated_at=now() - timedelta(minutes=3))
            await flows.change_flow(live, draft["id"], changes(flowJson=OTHER))
            return await super().publish_flow(sender, told)

    slow = Slow()
    slow.answer = "flow-9"
    with conversing_by(slow), pytest.raises(PublicationInProgress):
        await flows.publish_flow(live, draft["id"])

    assert (await Flow.get(id=draft["id"])).status == "draft"


async def test_what_the_platform_does_not_take_stays_a_draft(
    live: Caller, platform: ApprovingPlatform
) -> None:
    draft = await a_flow(live)
    platform.answers = [UpstreamError("139000", "Broken.")]

    with pytest.raises(DependencyFailed) as refusal:
        await flows.publish_flow(live, draft["id"])

    assert refusal.value.meta == {"upstreamCode": "139000"}
    assert await status_of(draft["id"]) == ("draft", None)
    assert (await flows.publish_flow(live, draft["id"]))["status"] == "active"


async def test_a_flow_under_publication_is_left_alone_until_that_has_surely_failed(
    live: Caller, platform: ApprovingPlatform
) -> None:
    draft = await a_flow(live)
    await Flow.filter(id=draft["id"]).update(meta_status="DRAFT", updated_at=now())

    for use_case in (
        flows.publish_flow(live, draft["id"]),
        flows.change_flow(live, draft["id"], changes(name="x")),
        flows.archive_flow(live, draft["id"]),
        flows.delete_flow(live, draft["id"]),
    ):
        with pytest.raises(PublicationInProgress):
            await use_case
    assert platform.calls == []
    await Flow.filter(id=draft["id"]).update(updated_at=now() - timedelta(minutes=3))
    assert (await flows.publish_flow(live, draft["id"]))["status"] == "active"


async def test_two_publications_at_once_hand_it_over_once(
    real_commits: None, platform: ApprovingPlatform
) -> None:
    live = await a_caller("live")
    draft = await a_flow(live)

    results = await asyncio.gather(
        *(flows.publish_flow(live, draft["id"]) for _ in range(4)), return_exceptions=True
    )

    assert len(platform.calls) == 1
    assert len([one for one in results if not isinstance(one, BaseException)]) == 1


# Moves -------------------------------------------------------------------------------------------

UseCase = Callable[[Caller, str], Awaitable[Any]]
MOVES: dict[str, tuple[UseCase, dict[str, str]]] = {
    "publish": (flows.publish_flow, {"draft": "active"}),
    "pause": (flows.pause_flow, {"active": "paused"}),
    "resume": (flows.resume_flow, {"paused": "active"}),
    "deprecate": (flows.deprecate_flow, {"active": "deprecated", "paused": "deprecated"}),
    "archive": (flows.archive_flow, {"draft": "archived", "deprecated": "archived"}),
    "delete": (flows.delete_flow, {"draft": "gone"}),
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("status", ["draft", "active", "paused", "deprecated", "archived"])
async def test_each_move_has_its_statuses(caller: Caller, name: str, status: str) -> None:
    use_case, moves = MOVES[name]
    id = await in_status(caller, status)

    if status in moves:
        await use_case(caller, id)
    else:
        with pytest.raises(FlowStatusConflict) as refusal:
            await use_case(caller, id)
        assert refusal.value.meta == {"code": "STATUS_NAO_PERMITE", "status": status}

    found = await Flow.get_or_none(id=id)
    assert (found.status.value if found else "gone") == moves.get(status, status)
    told = [one["action"] for one in await audited(caller.organization_id, "flow.")]
    assert len(told) == 1 + (status in moves)


async def test_a_live_flow_is_deprecated_there_first(
    live: Caller, platform: ApprovingPlatform
) -> None:
    flow = await flows.publish_flow(live, (await a_flow(live))["id"])
    platform.answers = [
        UpstreamError("2", "Broken.", retryable=True),
        UpstreamError("100", "Unknown.", gone=True),
    ]

    with pytest.raises(DependencyFailed):
        await flows.deprecate_flow(live, flow["id"])
    assert await status_of(flow["id"]) == ("active", "PUBLISHED")
    await flows.deprecate_flow(live, flow["id"])

    assert await status_of(flow["id"]) == ("deprecated", "DEPRECATED")
    assert platform.calls[-1] == (
        "deprecate_flow",
        {"sender": platform.calls[0][1]["sender"], "flow_id": "flow-9"},
    )


# Sending and notices -----------------------------------------------------------------------------


async def test_only_an_active_published_flow_may_be_sent(caller: Caller) -> None:
    flow = await a_flow(caller, active=True)

    found = await flows.flow_for_sending(caller, flow["id"], flow["numberId"])
    await flows.pause_flow(caller, flow["id"])
    with pytest.raises(FlowUnavailable) as refusal:
        await flows.flow_for_sending(caller, flow["id"], flow["numberId"])

    assert found.meta_flow_id == flow["metaFlowId"]
    assert refusal.value.meta == {
        "code": "FLOW_INDISPONIVEL",
        "status": "paused",
        "metaStatus": "PUBLISHED",
    }
    for asking, id, number in ((caller, "flw_x", flow["numberId"]), (caller, flow["id"], "num_x")):
        with pytest.raises(UnknownFlow) as unknown:
            await flows.flow_for_sending(asking, id, number, pointer="/payload/flow/id")
        assert [error.where for error in unknown.value.errors] == ["/payload/flow/id"]
    with pytest.raises(UnknownFlow):
        await flows.flow_for_sending(await a_caller(), flow["id"], flow["numberId"])


@pytest.mark.parametrize("noticed", ["BLOCKED", "THROTTLED"])
async def test_what_the_platform_holds_back_only_fails_to_be_sent(
    live: Caller, noticed: str
) -> None:
    id = await in_status(live, "active")
    number = await a_number(live)
    await Flow.filter(id=id).update(number_id=number.id)

    await flows.apply_notices([FlowNotice("another", "9", noticed, now())], now())
    assert await status_of(id) == ("active", "PUBLISHED")
    await flows.apply_notices([FlowNotice(number.waba_id, "9", noticed, now())], now())

    assert await status_of(id) == ("active", noticed)
    with pytest.raises(FlowUnavailable):
        await flows.flow_for_sending(live, id, number.id)
    await flows.apply_notices([FlowNotice(number.waba_id, "9", "PUBLISHED", now())], now())
    assert (await flows.flow_for_sending(live, id, number.id)).id == id


async def test_a_flow_that_was_deprecated_there_is_so_here(live: Caller) -> None:
    id = await in_status(live, "paused")
    number = await a_number(live)
    await Flow.filter(id=id).update(number_id=number.id)

    await flows.apply_notices(
        [
            FlowNotice(number.waba_id, "9", "PUBLISHED", now() - timedelta(hours=1)),
            FlowNotice(number.waba_id, "9", "DEPRECATED", now()),
            FlowNotice(number.waba_id, "9", "STRANGE", now()),
        ],
        now(),
    )

    assert await status_of(id) == ("deprecated", "DEPRECATED")


# Whose it is, and lists --------------------------------------------------------------------------


async def test_nobody_else_sees_or_touches_a_flow(caller: Caller) -> None:
    flow = await a_flow(caller)
    live = await a_caller("live", organization_id=caller.organization_id)

    for other in (await a_caller(), live):
        use_cases: list[UseCase] = [
            flows.get_flow,
            flows.validate_flow,
            *(use_case for use_case, _ in MOVES.values()),
        ]
        for use_case in use_cases:
            with pytest.raises(NotFound):
                await use_case(other, flow["id"])
        with pytest.raises(NotFound):
            await flows.change_flow(other, flow["id"], changes(name="x"))
        assert await flows.list_flows(other, FlowFilter()) == {"items": [], "total": 0}
    assert await flows.get_flow(caller, flow["id"]) == flow


async def test_each_use_case_asks_for_its_scope(caller: Caller) -> None:
    flow = await a_flow(caller)
    reader = await a_caller(
        scopes=frozenset({Scope.FLOWS_READ}), organization_id=caller.organization_id
    )
    writer = await a_caller(
        scopes=frozenset({Scope.FLOWS_WRITE}), organization_id=caller.organization_id
    )

    for use_case in (
        flows.create_flow(reader, a_new_flow(flow["numberId"])),
        flows.change_flow(reader, flow["id"], changes(name="x")),
        flows.validate_flow(reader, flow["id"]),
        *(use_case(reader, flow["id"]) for use_case, _ in MOVES.values()),
        flows.get_flow(writer, flow["id"]),
        flows.list_flows(writer, FlowFilter()),
    ):
        with pytest.raises(Forbidden):
            await use_case
    assert await flows.get_flow(caller, flow["id"]) == flow


async def test_a_list_is_narrowed_by_each_filter_and_is_newest_first(caller: Caller) -> None:
    number = await a_number(caller)
    first = await a_flow(caller, number.id, active=True)
    second = await a_flow(caller, number.id, metaCategories=["LEAD_GENERATION", "SIGN_UP"])
    third = await a_flow(caller)

    async def ids(**filter: Any) -> list[str]:
        page = await flows.list_flows(caller, FlowFilter.model_validate(filter))
        return [one["id"] for one in page["items"]]

    assert await ids() == [third["id"], second["id"], first["id"]]
    assert await ids(status="active") == [first["id"]]
    assert await ids(metaStatus="PUBLISHED") == [first["id"]]
    assert await ids(category="SIGN_UP") == [second["id"]]
    assert await ids(numberId=number.id) == [second["id"], first["id"]]
    assert await ids(numberId=number.id, category="OTHER") == []
    page = await flows.list_flows(caller, FlowFilter(limit=2))
    assert (page["total"], await ids(cursor=page["nextCursor"])) == (3, [first["id"]])
