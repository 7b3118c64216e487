"""Reading the audit trail: one environment, newest first, in pages."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import audit
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.foundation.validation.inputs import read_query
from tests.factories.keys import an_admin
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


async def an_entry(
    caller: Caller, subject: str, action: str = "thing.done", *, seconds: int = 0
) -> None:
    await audit.write_entry(caller, action, subject, at=AT + timedelta(seconds=seconds))


async def listed(caller: Caller, **query: Any) -> Mapping[str, Any]:
    return await audit.list_entries(
        caller,
        read_query(
            audit.AuditFilter, [(name.rstrip("_"), str(value)) for name, value in query.items()]
        ),
    )


async def subjects(caller: Caller, **query: Any) -> list[str]:
    """Those of the entries that these tests wrote."""
    found = [item.get("subjectId", "") for item in (await listed(caller, **query))["items"]]
    return [subject for subject in found if subject.startswith("thg_")]


async def test_an_entry_tells_who_did_what_to_what_and_when() -> None:
    admin = await an_admin()
    await audit.write_entry(admin, "thing.done", "thg_1", {"count": 2}, at=AT)

    [item] = (await listed(admin, action="thing.done"))["items"]

    assert is_id("aud", item["id"])
    assert item == {
        "id": item["id"],
        "at": "2026-01-02T03:04:05.678Z",
        "actor": {"kind": "account", "id": admin.account_id},
        "action": "thing.done",
        "subjectId": "thg_1",
        "facts": {"count": 2},
        "requestId": admin.request_id,
    }


async def test_what_is_not_there_is_left_out() -> None:
    caller = replace(await a_caller(), kind="system", request_id=None)
    await audit.write_entry(caller, "thing.done", at=AT)

    [item] = (await listed(caller, action="thing.done"))["items"]

    assert item == {
        "id": item["id"],
        "at": "2026-01-02T03:04:05.678Z",
        "actor": {"kind": "system"},
        "action": "thing.done",
        "facts": {},
    }


async def test_the_newest_comes_first() -> None:
    caller = await a_caller()
    for place in (1, 3, 2):
        await an_entry(caller, f"thg_{place}", seconds=place)

    assert await subjects(caller) == ["thg_3", "thg_2", "thg_1"]


async def test_another_environment_and_another_organization_are_not_shown() -> None:
    caller = await a_caller("test")
    await an_entry(caller, "thg_mine")
    await an_entry(replace(caller, env="live"), "thg_live")
    await an_entry(await a_caller("test"), "thg_theirs")

    assert await subjects(caller) == ["thg_mine"]
    assert await subjects(replace(caller, env="live")) == ["thg_live"]


async def test_entries_are_found_by_action_subject_actor_and_time() -> None:
    admin = await an_admin("test")
    key = replace(admin, kind="key", credential_id="key_1")
    await an_entry(admin, "thg_1", "thing.made", seconds=1)
    await an_entry(key, "thg_1", "thing.done", seconds=2)
    await an_entry(key, "thg_2", "thing.done", seconds=3)

    assert await subjects(admin, action="thing.done") == ["thg_2", "thg_1"]
    assert await subjects(admin, subjectId="thg_1") == ["thg_1", "thg_1"]
    assert await subjects(admin, actorId="key_1") == ["thg_2", "thg_1"]
    assert await subjects(admin, actorId=admin.account_id) == ["thg_1"]
    assert await subjects(admin, action="thing.done", subjectId="thg_1") == ["thg_1"]
    assert await subjects(admin, from_=(AT + timedelta(seconds=2)).isoformat()) == [
        "thg_2",
        "thg_1",
    ]
    assert await subjects(admin, to=(AT + timedelta(seconds=2)).isoformat()) == ["thg_1", "thg_1"]
    assert await subjects(admin, action="thing") == []


async def test_pages_hold_every_entry_once_also_those_of_one_instant() -> None:
    caller = await a_caller()
    for place in range(7):
        await an_entry(caller, f"thg_{place}", seconds=place // 3)
    whole = await subjects(caller)

    page, seen = await listed(caller, limit=2, action="thing.done"), list[str]()
    while True:
        seen += [item["subjectId"] for item in page["items"]]
        if "nextCursor" not in page:
            break
        assert len(page["items"]) == 2
        page = await listed(caller, limit=2, action="thing.done", cursor=page["nextCursor"])

    assert seen == whole
    assert sorted(seen) == [f"thg_{place}" for place in range(7)]


async def test_an_entry_that_comes_meanwhile_moves_no_page() -> None:
    caller = await a_caller()
    for place in range(3):
        await an_entry(caller, f"thg_{place}", seconds=place)
    page = await listed(caller, limit=2)

    await an_entry(caller, "thg_new", seconds=9)

    assert await subjects(caller, cursor=page["nextCursor"]) == ["thg_0"]


async def test_a_page_has_fifty_entries_and_two_hundred_at_most() -> None:
    caller = await a_caller()
    await audit.write_entries(caller, "thing.done", [(f"thg_{n}", {}) for n in range(210)], at=AT)

    assert len((await listed(caller))["items"]) == 50
    assert len((await listed(caller, limit=1000))["items"]) == 200


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": "many"}, {"from_": "2026"}, {"to": "x"}, {"cursor": "x"}]
)
async def test_a_parameter_that_cannot_be_read_is_named(query: dict[str, Any]) -> None:
    caller = await a_caller()

    with pytest.raises(ValidationFailed) as refused:
        await listed(caller, **query)

    assert [error.where for error in refused.value.errors] == [name.rstrip("_") for name in query]


async def test_without_the_scope_nothing_is_shown() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.AUDIT_READ})

    with pytest.raises(Forbidden) as refused:
        await listed(caller)

    assert refused.value.meta == {"escopoExigido": "audit:read"}
