"""`svc cell place`, where there is no Citus; with one, tests/scaling/test_citus.py."""

import os

import pytest

from cli.cells_place import place_cell
from cli.failures import Failure
from core.operations import NotOnCitus

pytestmark = pytest.mark.usefixtures("database")


async def test_a_plain_database_is_refused() -> None:
    with pytest.raises(NotOnCitus, match="no coordinator of Citus"):
        await place_cell("public", database_url=os.environ["DATABASE_URL"])


async def test_the_role_has_to_be_that_of_the_cell() -> None:
    with pytest.raises(
        Failure, match="begins with the schema public, and not with that of the cell"
    ):
        await place_cell("br2", database_url=os.environ["DATABASE_URL"])


@pytest.mark.parametrize(
    ("options", "told"),
    [({"on": "a:1", "rebalance": True}, "exclude each other"), ({"on": "machine"}, "host:port")],
)
async def test_options_that_make_no_sense_are_refused(options: dict[str, str], told: str) -> None:
    with pytest.raises(Failure, match=told):
        await place_cell("public", **options)  # type: ignore[arg-type]
