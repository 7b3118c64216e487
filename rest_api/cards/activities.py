"""The operations of activities."""

from core import cards
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.cards import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import ACTIVITY, CARD


async def list_activities(
    call: Call[None, cards.ActivityFilter],
) -> WrittenPage[cards.ActivityPage]:
    return await cards.list_activities(call.caller, call.path["id"], call.query)


async def add_activity(call: Call[cards.NewActivity]) -> cards.ActivityRecord:
    return await cards.add_activity(call.caller, call.path["id"], call.body)


async def change_activity(call: Call[cards.ActivityChanges]) -> cards.ActivityRecord:
    return await cards.change_activity(call.caller, call.path["id"], call.body)


async def delete_activity(call: Call) -> None:
    await cards.delete_activity(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/cards/{id}/atividades",
        list_activities,
        Scope.CRM_READ,
        "List the activities of a card",
        "Cards",
        description="Open ones by when they are due, then done ones, the latest first.",
        errors=(401, 403, 404, 422),
        query=cards.ActivityFilter,
        answer=cards.ActivityPage,
        answers={"one page": examples.ACTIVITIES},
        ids={"id": CARD},
    ),
    Operation(
        "POST",
        "/cards/{id}/atividades",
        add_activity,
        Scope.CRM_WRITE,
        "Add an activity to a card",
        "Cards",
        errors=(401, 403, 404, 422),
        status=201,
        body=cards.NewActivity,
        answer=cards.ActivityRecord,
        answers={"added": examples.ACTIVITY_RECORD},
        ids={"id": CARD},
        examples=examples.NEW_ACTIVITY,
    ),
    Operation(
        "PATCH",
        "/atividades/{id}",
        change_activity,
        Scope.CRM_WRITE,
        "Change an activity",
        "Cards",
        description="`concluida` says whether it is done.",
        errors=(401, 403, 404, 422),
        body=cards.ActivityChanges,
        answer=cards.ActivityRecord,
        answers={"done": examples.ACTIVITY_DONE},
        ids={"id": ACTIVITY},
        examples={"done": {"concluida": True}},
    ),
    Operation(
        "DELETE",
        "/atividades/{id}",
        delete_activity,
        Scope.CRM_DELETE,
        "Delete an activity",
        "Cards",
        errors=(401, 403, 404, 422),
        status=204,
        ids={"id": ACTIVITY},
    ),
]
