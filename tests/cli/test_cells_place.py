"""`svc cell place`, where there is no Citus; with one, tests/scaling/test_citus.py."""

import os

import pytest

from cli.cells_place import place_cell
from cli.failures import Failure
from core import operations
from core.operations import DatabasePlace, NotOnCitus
from tests.support.processes import svc

pytestmark = pytest.mark.usefixtures("database")


async def test_a_plain_database_is_refused() -> None:
    with pytest.raises(NotOnCitus, match="no coordinator of Citus"):
        await place_cell("public", database_url=os.environ["DATABASE_URL"])


async def test_so_it_is_from_the_shell() -> None:
    words = ["cell", "place", "public"]
    status, _, told = await svc(words, environment=dict(os.environ), fresh=True)
    assert (status, told.strip()[:38]) == (1, "svc: The database is no coordinator of")


async def test_the_role_has_to_be_that_of_the_cell() -> None:
    with pytest.raises(
        Failure, match="begins with the schema public, and not with that of the cell"
    ):
        await place_cell("br2", database_url=os.environ["DATABASE_URL"])


async def test_one_that_lies_there_already_is_not_moved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def distribute(_: object) -> DatabasePlace:
        return DatabasePlace("public", "10.0.0.7:5432", 8)

    monkeypatch.setattr(operations, "distribute", distribute)
    placed = await place_cell("public", database_url=os.environ["DATABASE_URL"], on="10.0.0.7:5432")
    assert placed["machine"] == "10.0.0.7:5432"
    assert "lies on 10.0.0.7:5432 already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [({"on": "a:1", "rebalance": True}, "exclude each other"), ({"on": "machine"}, "host:port")],
)
async def test_options_that_make_no_sense_are_refused(options: dict[str, str], told: str) -> None:
    with pytest.raises(Failure, match=told):
        await place_cell("public", **options)  # type: ignore[arg-type]
