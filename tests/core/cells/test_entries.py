"""What names an organization without saying which, and leads into its cell."""

import asyncio

import pytest

from core import cells, numbers, operations, organizations, people, smpp
from core.cells import Cell
from core.conversations import inbound
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction, transaction
from core.foundation.security.caller import Caller, Env, Scope, system_caller
from core.numbers.errors import NumberTaken
from core.organizations import Acceptance, NewInvitation, NewKey, authenticate, last_use
from core.organizations.last_use import write_last_uses
from core.providers.meta.webhook import PlatformChange
from core.smpp.errors import SystemIdTaken
from graphql_api.subscriptions.protocol import Closing
from rest_api.graphql_socket import Recognising
from tests.factories.accounts import PASSWORD, a_person
from tests.factories.numbers import a_number
from tests.factories.smpp import an_smpp_account
from tests.support.log_ins import at_once
from tests.support.waiting import eventually

__all__ = ["at_once"]


async def an_owner(cell: Cell, env: Env = "test") -> Caller:
    """The service itself, for a new organization there."""
    organization, _ = await operations.open_organization("Padaria", cell=cell)
    return system_caller(organization.id, env)


async def count(table: str) -> int:
    """The rows of a table in the current cell."""
    found: int = await db.fetchval(f"SELECT count(*) FROM {table}")
    return found


async def test_notices_of_the_platform(south: Cell) -> None:
    home, there = await an_owner(cells.HOME, "live"), await an_owner(south, "live")
    at_home = await a_number(home)
    with cells.use_cell(south):
        number = await a_number(there)
        taken = numbers.PlatformIds(phone_number_id=at_home.phone_number_id, waba_id="1")
        with pytest.raises(NumberTaken):
            await numbers.connect_number(there, number.id, taken)
    await inbound.store_notices(
        [
            PlatformChange("messages", number.phone_number_id, number.waba_id, {}),
            PlatformChange("account_update", None, number.waba_id, {}),
            PlatformChange("messages", at_home.phone_number_id, at_home.waba_id, {}),
        ],
        at=now(),
    )
    assert await count("platform_notices") == 1
    with cells.use_cell(south):
        assert await count("platform_notices") == 2


async def test_binds_over_smpp(south: Cell) -> None:
    home, there = await an_owner(cells.HOME), await an_owner(south)
    with cells.use_cell(south):
        account = await an_smpp_account(there)
    with pytest.raises(SystemIdTaken):
        await an_smpp_account(home, systemId=account["systemId"])

    async def sign_in() -> tuple[str, str]:
        client = await smpp.sign_in(account["systemId"], account["password"], address=None)
        return client.cell.name, cells.current().name

    assert await asyncio.create_task(sign_in()) == ("south", "south")
    assert cells.current() is cells.HOME
    assert await count("failed_log_ins") == 0


async def test_two_cells_want_one_name_at_the_same_instant(south: Cell) -> None:
    home, there = await an_owner(cells.HOME), await an_owner(south)

    async def theirs() -> None:
        with cells.use_cell(south):
            await an_smpp_account(there, systemId="padaria")

    async with transaction():
        await an_smpp_account(home, systemId="padaria")
        task = asyncio.get_running_loop().create_task(theirs(), context=outside_transaction())
        await eventually(lambda: db.fetchval(SOMEBODY_WAITS), "who comes second waits")
        assert not task.done()
    with pytest.raises(SystemIdTaken):
        await task
    with cells.use_cell(south):
        assert await count("smpp_accounts") == 0
    assert (await count("smpp_accounts"), await count("directory_entries")) == (1, 0)


SOMEBODY_WAITS = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)"


@pytest.mark.usefixtures("at_once")
async def test_invitations(south: Cell) -> None:
    organization = (await an_owner(south)).organization_id
    with cells.use_cell(south):
        who = await a_person(organization)
        new = NewInvitation(email="bia@padaria.test", name="Bia")
        invitation = await people.invite(who, new)
    token = invitation["link"].partition("=")[2]
    acceptance = Acceptance(token=token, password=PASSWORD)
    accepted = await organizations.accept_invitation(acceptance, address=None, request_id=None)
    assert accepted["organizationId"] == organization
    assert await count("accounts") == 0
    with cells.use_cell(south):
        assert await count("account_tokens") == 0


async def test_uses_of_keys_are_written_where_they_are(
    south: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_use, "GATHER_INTERVAL", 3600)
    for cell in (cells.HOME, south):
        owner = await an_owner(cell)
        with cells.use_cell(cell):
            new = NewKey(name="k", env="test", scopes=[Scope.CONTACTS_READ])
            key = (await organizations.issue_key(owner, new))["key"]
        await asyncio.create_task(authenticate(key, request_id=None))
    await write_last_uses()
    for cell in (cells.HOME, south):
        with cells.use_cell(cell):
            assert await db.fetchval("SELECT count(last_used_at) FROM api_keys") == 1
    for writer in last_use._writers.values():
        writer.cancel()


async def test_a_socket_ends_when_its_organization_moves(south: Cell) -> None:
    owner = await an_owner(south)
    with cells.use_cell(south):
        new = NewKey(name="k", env="test", scopes=[Scope.CONTACTS_READ])
        key = (await organizations.issue_key(owner, new))["key"]
    socket = Recognising("req_1", None)

    async def look() -> str:
        return (await socket.recognise(key)).organization_id

    assert await asyncio.create_task(look()) == owner.organization_id
    await cells.place(owner.organization_id, cells.HOME)
    await db.execute(
        "INSERT INTO organizations (id, name, created_at, status) VALUES ($1, 'x', now(), 'active')",
        owner.organization_id,
    )
    with cells.use_cell(south):
        row = await db.fetchrow("SELECT * FROM api_keys")
    assert row is not None
    names = ", ".join(row.keys())
    places = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    await db.execute(f"INSERT INTO api_keys ({names}) VALUES ({places})", *row.values())
    organizations.clear_credential_cache()
    with pytest.raises(Closing):
        await asyncio.create_task(look())
