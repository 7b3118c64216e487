"""A client of SMPP is served where its organization lives."""

from core import cells, operations
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from smpp_api.wire.commands import CommandStatus
from tests.factories.smpp import an_smpp_account
from tests.smpp_api.conftest import Smsc
from tests.support.two_cells import second_database, south

__all__ = ["second_database", "south"]


async def test_a_submit_is_written_in_the_cell_of_its_organization(
    south: cells.Cell, smsc: Smsc
) -> None:
    organization, _ = await operations.open_organization("Padaria", None, cell=south)
    with cells.use_cell(south):
        account = await an_smpp_account(system_caller(organization.id, "test"))
    client = await smsc.client()
    assert await client.bind(account) is CommandStatus.ESME_ROK

    status, answer = await client.submit()

    assert status is CommandStatus.ESME_ROK
    with cells.use_cell(south):
        assert await db.fetchval("SELECT id FROM messages") == answer.name
    assert not await db.fetchval("SELECT count(*) FROM messages")
