"""Quiet hours: when a dispatch is put off, until when, and what passes all the same."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from core import push
from core.foundation.clock import now, wire_time
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller, Scope
from core.organizations.models import QuietWindow
from core.push.models import PushDispatch
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, drained

pytestmark = pytest.mark.usefixtures("clean_slate")

HOUR = timedelta(hours=1)


async def quiet(caller: Caller, start: datetime, end: datetime, *exceptions: str) -> None:
    """Quiet between these hours of every day, in UTC."""
    window = {"inicio": f"{start:%H:%M}", "fim": f"{end:%H:%M}", "fuso": "UTC"}
    new = push.PushSettings.model_validate({"janelaSilencio": window, "excecoes": list(exceptions)})
    await push.put_settings(caller, new)


def next_minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0) + timedelta(minutes=1)


async def test_what_falls_into_the_quiet_hours_waits_for_their_end() -> None:
    caller = await a_caller()
    await a_device(caller)
    end = next_minute(now() + HOUR)
    await quiet(caller, now() - HOUR, end)

    created = await a_dispatch(caller)

    assert (created["status"], created["quietDeferredTo"]) == ("deferred", wire_time(end))
    assert created["metrics"]["reach"] == 1
    assert (await drained(caller, created["id"]))["status"] == "deferred"
    assert await push.start_due(at=end) == 1
    done = await drained(caller, created["id"])
    assert (done["status"], done["quietDeferredTo"]) == ("sent", wire_time(end))


async def test_the_time_that_counts_is_the_one_it_was_scheduled_for() -> None:
    caller = await a_caller()
    later = next_minute(now() + 5 * HOUR)
    await quiet(caller, later - HOUR, later + HOUR)

    at_once = await a_dispatch(caller)
    inside = await a_dispatch(caller, scheduledAt=later.isoformat())
    at_the_end = await a_dispatch(caller, scheduledAt=(later + HOUR).isoformat())

    assert at_once["status"] == "queued"
    assert (inside["status"], inside["quietDeferredTo"]) == ("deferred", wire_time(later + HOUR))
    assert inside["scheduledAt"] == wire_time(later)
    assert at_the_end["status"] == "scheduled"


async def test_data_alone_pass_where_they_are_an_exception() -> None:
    caller = await a_caller()
    silent: dict[str, Any] = {"title": "", "body": ""}
    await quiet(caller, now() - HOUR, now() + HOUR, "silent")
    passed, held = await a_dispatch(caller, **silent), await a_dispatch(caller)
    await quiet(caller, now() - HOUR, now() + HOUR)
    without = await a_dispatch(caller, **silent)

    assert [one["status"] for one in (passed, held, without)] == ["queued", "deferred", "deferred"]


async def test_quiet_hours_that_were_set_meanwhile_put_a_scheduled_dispatch_off() -> None:
    caller = await a_caller()
    await a_device(caller)
    due = next_minute(now() + 3 * HOUR)
    created = await a_dispatch(caller, scheduledAt=due.isoformat())
    await quiet(caller, due - HOUR, due + HOUR)

    assert await push.start_due(at=due) == 1

    waiting = await push.get_push(caller, created["id"])
    assert (waiting["status"], waiting["quietDeferredTo"]) == ("deferred", wire_time(due + HOUR))
    assert await push.start_due(at=due + HOUR) == 1
    assert (await drained(caller, created["id"]))["status"] == "sent"


async def test_a_preview_says_how_long_it_would_wait() -> None:
    caller = await a_caller()
    end = next_minute(now() + HOUR)
    await quiet(caller, now() - HOUR, end)
    draft = push.PushDraft.model_validate({"platforms": ["ios"], "segment": "all_opt_in"})

    assert (await push.preview_push(caller, draft))["quietDeferredTo"] == wire_time(end)
    assert await PushDispatch.all().count() == 0


async def test_settings_are_one_row_for_each_environment_and_null_takes_it_away() -> None:
    test = await a_caller()
    live = await a_caller("live", organization_id=test.organization_id)
    window = {"inicio": "22:00", "fim": "08:00", "fuso": "America/Sao_Paulo", "dias": [6, 0, 6]}
    settings = push.PushSettings.model_validate({"janelaSilencio": window, "excecoes": ["silent"]})

    for _ in range(2):
        stored = await push.put_settings(test, settings)

    assert stored == {"janelaSilencio": {**window, "dias": [0, 6]}, "excecoes": ["silent"]}
    assert await push.get_settings(test) == stored
    assert await push.get_settings(live) == {"janelaSilencio": None, "excecoes": []}
    assert await QuietWindow.all().count() == 1
    await push.put_settings(test, push.PushSettings(janela_silencio=None))
    assert await push.get_settings(test) == {"janelaSilencio": None, "excecoes": []}


async def test_without_the_scope_settings_are_neither_read_nor_changed() -> None:
    caller = await a_caller(scopes=frozenset({Scope.PUSH_SEND, Scope.PUSH_READ}))

    with pytest.raises(Forbidden):
        await push.get_settings(caller)
    with pytest.raises(Forbidden):
        await quiet(caller, now(), now() + HOUR)

    assert await QuietWindow.all().count() == 0
