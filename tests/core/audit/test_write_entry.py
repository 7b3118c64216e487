"""Writing the audit trail."""

from dataclasses import replace

import pytest

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, system_caller
from tests.factories.keys import an_admin
from tests.factories.organizations import a_caller
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")


async def who(caller: Caller) -> tuple[str, str | None]:
    """The actor that is written down for a caller."""
    await audit.write_entry(caller, "thing.done", "thg_1", at=now())
    [entry] = await audited(caller.organization_id, "thing.")
    return entry["actor_kind"], entry["actor_id"]


async def test_the_actor_is_the_person_behind_a_session() -> None:
    admin = await an_admin()

    assert await who(admin) == ("account", admin.account_id)


async def test_the_actor_is_a_key_and_not_whom_it_belongs_to() -> None:
    caller = await a_caller()

    assert await who(caller) == ("key", caller.credential_id)


async def test_the_service_itself_has_no_id() -> None:
    caller = await a_caller()

    assert await who(system_caller(caller.organization_id, "test")) == ("system", None)


async def test_an_entry_stands_in_the_callers_environment_with_the_request() -> None:
    caller = replace(await a_caller("live"), request_id="req_1")

    await audit.write_entry(caller, "thing.done", "thg_1", {"count": 2}, at=now())
    await audit.write_entry(caller, "thing.seen", at=now())

    done, seen = await audited(caller.organization_id, "thing.")
    assert (done["env"], done["subject_id"], done["facts"], done["request_id"]) == (
        "live",
        "thg_1",
        {"count": 2},
        "req_1",
    )
    assert (seen["subject_id"], seen["facts"]) == (None, {})


async def test_many_entries_of_one_action_are_written_at_once() -> None:
    caller = await a_caller()
    entries = [(f"thg_{n}", {"place": n, "flag": True, "none": None}) for n in range(3)]

    await audit.write_entries(caller, "thing.done", entries, at=now())
    await audit.write_entries(caller, "thing.done", [], at=now())

    written = await audited(caller.organization_id, "thing.")
    assert sorted((entry["subject_id"], entry["facts"]) for entry in written) == entries


async def test_an_entry_goes_with_the_use_case_that_is_rolled_back() -> None:
    caller = await a_caller()

    with pytest.raises(RuntimeError):
        async with transaction():
            await audit.write_entry(caller, "thing.done", at=now())
            raise RuntimeError

    assert await audited(caller.organization_id, "thing.") == []
