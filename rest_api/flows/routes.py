"""The operations of flows."""

from core import flows
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.flows import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import FLOW


async def list_flows(call: Call[None, flows.FlowFilter]) -> WrittenPage[flows.FlowPage]:
    return await flows.list_flows(call.caller, call.query)


async def create_flow(call: Call[flows.NewFlow]) -> flows.FlowRecord:
    return await flows.create_flow(call.caller, call.body)


async def get_flow(call: Call) -> flows.FlowRecord:
    return await flows.get_flow(call.caller, call.path["id"])


async def change_flow(call: Call[flows.FlowChanges]) -> flows.FlowRecord:
    return await flows.change_flow(call.caller, call.path["id"], call.body)


async def validate_flow(call: Call) -> flows.ValidationRecord:
    return await flows.validate_flow(call.caller, call.path["id"])


async def publish_flow(call: Call) -> flows.FlowRecord:
    return await flows.publish_flow(call.caller, call.path["id"])


async def pause_flow(call: Call) -> flows.FlowRecord:
    return await flows.pause_flow(call.caller, call.path["id"])


async def resume_flow(call: Call) -> flows.FlowRecord:
    return await flows.resume_flow(call.caller, call.path["id"])


async def deprecate_flow(call: Call) -> flows.FlowRecord:
    return await flows.deprecate_flow(call.caller, call.path["id"])


async def archive_flow(call: Call) -> flows.FlowRecord:
    return await flows.archive_flow(call.caller, call.path["id"])


async def delete_flow(call: Call) -> None:
    await flows.delete_flow(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/v2/flows",
        list_flows,
        Scope.FLOWS_READ,
        "List flows, newest first",
        "Flows",
        errors=(400, 401, 403),
        query=flows.FlowFilter,
        answer=flows.FlowPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/flows",
        create_flow,
        Scope.FLOWS_WRITE,
        "Write a flow",
        "Flows",
        description="Stores a draft, which may be unfinished: it is looked through when it is "
        "validated or published.",
        errors=(401, 403, 422),
        status=201,
        body=flows.NewFlow,
        answer=flows.FlowRecord,
        answers={"draft": examples.DRAFT},
        examples={"two screens": examples.NEW},
    ),
    Operation(
        "GET",
        "/v2/flows/{id}",
        get_flow,
        Scope.FLOWS_READ,
        "Read a flow",
        "Flows",
        errors=(401, 403, 404),
        answer=flows.FlowRecord,
        answers={"active": examples.ACTIVE},
        ids={"id": FLOW},
    ),
    Operation(
        "PATCH",
        "/v2/flows/{id}",
        change_flow,
        Scope.FLOWS_WRITE,
        "Change a flow",
        "Flows",
        description=(
            "A draft is changed in place. Of an active or paused flow a new draft is made, with "
            "an id of its own and "
            "`versaoDe`; the one in use stays in use until it is deprecated."
        ),
        errors=(401, 403, 404, 409, 422),
        body=flows.FlowChanges,
        answer=flows.FlowRecord,
        answers={"next version": examples.NEXT_VERSION},
        ids={"id": FLOW},
        examples={"rename": examples.CHANGE},
    ),
    Operation(
        "POST",
        "/v2/flows/{id}/validate",
        validate_flow,
        Scope.FLOWS_WRITE,
        "Look a flow through",
        "Flows",
        errors=(401, 403, 404),
        answer=flows.ValidationRecord,
        answers={"valid": examples.VALID, "not valid": examples.INVALID},
        ids={"id": FLOW},
    ),
    Operation(
        "POST",
        "/v2/flows/{id}/publish",
        publish_flow,
        Scope.FLOWS_WRITE,
        "Publish a flow for good",
        "Flows",
        description="With a live key the platform takes it before the answer; its content is "
        "final from then on.",
        errors=(401, 403, 404, 409, 502, 503),
        answer=flows.FlowRecord,
        answers={"active": examples.ACTIVE},
        ids={"id": FLOW},
    ),
    Operation(
        "POST",
        "/v2/flows/{id}/pause",
        pause_flow,
        Scope.FLOWS_WRITE,
        "Keep an active flow from being sent",
        "Flows",
        description="The platform is not told: whoever has the flow already may still fill it in.",
        errors=(401, 403, 404, 409),
        answer=flows.FlowRecord,
        answers={"paused": examples.PAUSED},
        ids={"id": FLOW},
    ),
    Operation(
        "POST",
        "/v2/flows/{id}/resume",
        resume_flow,
        Scope.FLOWS_WRITE,
        "Let a paused flow be sent again",
        "Flows",
        errors=(401, 403, 404, 409),
        answer=flows.FlowRecord,
        answers={"active": examples.ACTIVE},
        ids={"id": FLOW},
    ),
    Operation(
        "POST",
        "/v2/flows/{id}/deprecate",
        deprecate_flow,
        Scope.FLOWS_WRITE,
        "Take a published flow out of use for good",
        "Flows",
        errors=(401, 403, 404, 409, 502, 503),
        answer=flows.FlowRecord,
        answers={"deprecated": examples.DEPRECATED},
        ids={"id": FLOW},
    ),
    Operation(
        "POST",
        "/v2/flows/{id}/archive",
        archive_flow,
        Scope.FLOWS_WRITE,
        "Put a draft or a deprecated flow away for good",
        "Flows",
        errors=(401, 403, 404, 409),
        answer=flows.FlowRecord,
        answers={"archived": examples.ARCHIVED},
        ids={"id": FLOW},
    ),
    Operation(
        "DELETE",
        "/v2/flows/{id}",
        delete_flow,
        Scope.FLOWS_WRITE,
        "Delete a draft for good",
        "Flows",
        errors=(401, 403, 404, 409),
        status=204,
        ids={"id": FLOW},
    ),
]
