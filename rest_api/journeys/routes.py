"""The operations of journeys."""

from core import journeys
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.journeys import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import CONTACT, JOURNEY


async def list_journeys(
    call: Call[None, journeys.JourneyFilter],
) -> WrittenPage[journeys.JourneyPage]:
    return await journeys.list_journeys(call.caller, call.query)


async def create_journey(call: Call[journeys.NewJourney]) -> journeys.JourneyRecord:
    return await journeys.create_journey(call.caller, call.body)


async def get_journey(call: Call) -> journeys.JourneyRecord:
    return await journeys.get_journey(call.caller, call.path["id"])


async def change_journey(call: Call[journeys.JourneyChanges]) -> journeys.JourneyRecord:
    return await journeys.change_journey(call.caller, call.path["id"], call.body)


async def duplicate_journey(call: Call[journeys.Duplication]) -> journeys.JourneyRecord:
    return await journeys.duplicate_journey(call.caller, call.path["id"], call.body)


async def activate_journey(call: Call[journeys.Activation]) -> journeys.ActivatedJourney:
    return await journeys.activate_journey(call.caller, call.path["id"], call.body)


async def pause_journey(call: Call) -> journeys.JourneyRecord:
    return await journeys.pause_journey(call.caller, call.path["id"])


async def resume_journey(call: Call) -> journeys.JourneyRecord:
    return await journeys.resume_journey(call.caller, call.path["id"])


async def end_entries(call: Call) -> journeys.JourneyRecord:
    return await journeys.end_entries(call.caller, call.path["id"])


async def enter_journey(call: Call[journeys.NewEntries]) -> journeys.EnteredContacts:
    return await journeys.enter_journey(call.caller, call.path["id"], call.body)


async def migrate_runs(call: Call[journeys.Migration]) -> journeys.MigratedRuns:
    return await journeys.migrate_runs(call.caller, call.path["id"], call.body)


async def get_settings(call: Call) -> journeys.JourneySettingsRecord:
    return await journeys.get_journey_settings(call.caller)


async def put_settings(call: Call[journeys.NewJourneySettings]) -> journeys.JourneySettingsRecord:
    return await journeys.put_journey_settings(call.caller, call.body)


async def archive_journey(call: Call[journeys.Archiving]) -> journeys.JourneyRecord:
    return await journeys.archive_journey(call.caller, call.path["id"], call.body)


async def delete_journey(call: Call) -> None:
    await journeys.delete_journey(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/v2/journeys",
        list_journeys,
        Scope.CAMPAIGNS_READ,
        "List the journeys, newest first",
        "Journeys",
        description="Those that are not archived, without their steps; archived ones by their "
        "status.",
        errors=(401, 403),
        query=journeys.JourneyFilter,
        answer=journeys.JourneyPage,
        answers={"all of them": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/journeys",
        create_journey,
        Scope.CAMPAIGNS_WRITE,
        "Store a journey as a draft",
        "Journeys",
        description="The graph of steps is checked whole: every fault is named by its place. "
        "It runs once it is activated.",
        errors=(401, 403, 409, 422),
        status=201,
        body=journeys.NewJourney,
        answer=journeys.JourneyRecord,
        answers={"stored": examples.STORED},
        examples={"welcome": examples.NEW},
    ),
    Operation(
        "GET",
        "/v2/journeys/settings",
        get_settings,
        Scope.CAMPAIGNS_READ,
        "Read what holds for all journeys",
        "Journeys",
        errors=(401, 403),
        answer=journeys.JourneySettingsRecord,
        answers={"capped": examples.SETTINGS},
    ),
    Operation(
        "PUT",
        "/v2/journeys/settings",
        put_settings,
        Scope.CAMPAIGNS_WRITE,
        "Put settings of all journeys in the place of those before",
        "Journeys",
        description="`teto` counts the messages of all journeys together; null ends the limit.",
        errors=(401, 403, 422),
        body=journeys.NewJourneySettings,
        answer=journeys.JourneySettingsRecord,
        answers={"capped": examples.SETTINGS},
        examples={"three a week": examples.SETTINGS},
    ),
    Operation(
        "GET",
        "/v2/journeys/{id}",
        get_journey,
        Scope.CAMPAIGNS_READ,
        "Read a journey with its steps",
        "Journeys",
        errors=(401, 403, 404),
        answer=journeys.JourneyRecord,
        answers={"journey": examples.STORED},
        ids={"id": JOURNEY},
    ),
    Operation(
        "PATCH",
        "/v2/journeys/{id}",
        change_journey,
        Scope.CAMPAIGNS_WRITE,
        "Change a journey",
        "Journeys",
        description="A draft is changed in place. Of an active or paused journey a draft of the "
        "next version is made, with an id of its own and `versaoDe`; who is inside finishes the "
        "version that they are in. What comes of the changes is checked whole.",
        errors=(401, 403, 404, 409, 422),
        body=journeys.JourneyChanges,
        answer=journeys.JourneyRecord,
        answers={"changed": examples.CHANGED},
        ids={"id": JOURNEY},
        examples={"rename": examples.CHANGE},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/ativar",
        activate_journey,
        Scope.CAMPAIGNS_WRITE,
        "Activate a journey",
        "Journeys",
        description="Contacts enter from now on; with `incluirAtuais` also those who are in the "
        "segment or on the list already. Everything that keeps it from running is named at once. "
        "A new version takes the place of the one before, where those inside finish their way.",
        errors=(401, 403, 404, 409, 422),
        body=journeys.Activation,
        body_optional=True,
        answer=journeys.ActivatedJourney,
        answers={"activated": examples.ACTIVATED},
        ids={"id": JOURNEY},
        examples={"with those present": {"incluirAtuais": True}},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/pausar",
        pause_journey,
        Scope.CAMPAIGNS_WRITE,
        "Let nobody go on for a while",
        "Journeys",
        description="Everybody inside stays where they are, and nobody enters.",
        errors=(401, 403, 404, 409),
        answer=journeys.JourneyRecord,
        answers={"paused": examples.PAUSED},
        ids={"id": JOURNEY},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/retomar",
        resume_journey,
        Scope.CAMPAIGNS_WRITE,
        "Let a paused journey go on",
        "Journeys",
        description="Waits that ended meanwhile go on now; a time of day that passed is waited "
        "for again. Refused while something is missing that the journey needs.",
        errors=(401, 403, 404, 409, 422),
        answer=journeys.JourneyRecord,
        answers={"active": examples.ACTIVE},
        ids={"id": JOURNEY},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/entradas",
        enter_journey,
        Scope.CAMPAIGNS_WRITE,
        "Put contacts into a journey by hand",
        "Journeys",
        description="At most 1,000, into an active journey, whatever it begins with. Whoever is "
        "inside or has been through enters again only as `reentrada` says; whoever asked to hear "
        "nothing at all does not enter.",
        errors=(401, 403, 404, 409, 422),
        body=journeys.NewEntries,
        answer=journeys.EnteredContacts,
        answers={"entered": {"journeyId": JOURNEY, "entraram": 1, "naoEntraram": 0}},
        ids={"id": JOURNEY},
        examples={"one": {"contactIds": [CONTACT]}},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/encerrar-entradas",
        end_entries,
        Scope.CAMPAIGNS_WRITE,
        "Let nobody enter any more",
        "Journeys",
        description="Those inside finish their way.",
        errors=(401, 403, 404, 409),
        answer=journeys.JourneyRecord,
        answers={"draining": examples.DRAINING},
        ids={"id": JOURNEY},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/migrar",
        migrate_runs,
        Scope.CAMPAIGNS_WRITE,
        "Move those inside earlier versions to this one",
        "Journeys",
        description="Everybody who stands on a step that `mapa` names begins the step beside it, "
        "all at once; `passosSemMapa` says what becomes of the others. With `simular` nobody is "
        "moved, and the answer says how many would be.",
        heavy=True,
        errors=(401, 403, 404, 409, 422),
        body=journeys.Migration,
        answer=journeys.MigratedRuns,
        answers={"moved": examples.MIGRATED},
        ids={"id": JOURNEY},
        examples={"one step": {"mapa": {"pausa": "lembrete"}, "passosSemMapa": "manter"}},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/duplicar",
        duplicate_journey,
        Scope.CAMPAIGNS_WRITE,
        "Make a copy of a journey",
        "Journeys",
        description="A draft with the same trigger and steps, and nobody inside.",
        errors=(401, 403, 404, 409, 422),
        status=201,
        body=journeys.Duplication,
        body_optional=True,
        answer=journeys.JourneyRecord,
        answers={"copy": examples.COPY},
        ids={"id": JOURNEY},
        examples={"named": {"name": "Boas-vindas de verão"}},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/arquivar",
        archive_journey,
        Scope.CAMPAIGNS_WRITE,
        "Archive a journey for good",
        "Journeys",
        description="Whatever its status. It counts no more towards the 200, and is listed by "
        "its status only. `execucoes` says whether those inside finish their way.",
        errors=(401, 403, 404, 422),
        body=journeys.Archiving,
        body_optional=True,
        answer=journeys.JourneyRecord,
        answers={"archived": examples.ARCHIVED},
        ids={"id": JOURNEY},
        examples={"let them finish": {"execucoes": "concluir"}},
    ),
    Operation(
        "DELETE",
        "/v2/journeys/{id}",
        delete_journey,
        Scope.CAMPAIGNS_WRITE,
        "Delete a draft for good",
        "Journeys",
        errors=(401, 403, 404, 409),
        status=204,
        ids={"id": JOURNEY},
    ),
]
