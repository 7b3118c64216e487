"""A package owns its tables: nobody else writes them, and who reads them stands in a list with the reason."""

from collections import defaultdict
from functools import cache

import pytest

from tests.house import table_readers as listed
from tests.house.catalogue import models
from tests.house.table_uses import (
    Finder,
    Found,
    Module,
    Taker,
    Use,
    is_downward,
    layers,
    models_in,
    modules,
)


@cache
def code() -> tuple[Module, ...]:
    all_of_it = modules(frozenset(listed.TAKERS))
    return tuple(module for module in all_of_it if module.package not in listed.OTHER_PROGRAMS)


@cache
def owners() -> dict[str, str]:
    return dict(models_in(code()).values()) | listed.OUTSIDE_THE_MODELS


@pytest.fixture(scope="module")
def found() -> Found:
    return Finder(owners(), listed.TAKERS, listed.FILLED).find(code())


def foreign(found: Found) -> list[Use]:
    """Uses of a table by somebody else than its owner."""
    return [use for use in found.uses if use.package != owners()[use.table]]


def by_package(uses: list[Use]) -> dict[str, dict[str, list[str]]]:
    """For each package and table the places."""
    grouped: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for use in sorted(uses):
        grouped[use.package][use.table].append(use.place)
    return {package: dict(tables) for package, tables in grouped.items()}


def names(
    grouped: dict[str, dict[str, list[str]]] | dict[str, dict[str, str]],
) -> set[tuple[str, str]]:
    return {(package, table) for package, tables in grouped.items() for table in tables}


def test_nobody_writes_tables_of_others(found: Found) -> None:
    writes = [
        use for use in foreign(found) if use.writes and use.package not in listed.WRITES_EVERYTHING
    ]

    assert not writes, by_package(writes)


def test_who_reads_tables_of_others_says_why(found: Found) -> None:
    reads = [
        use for use in foreign(found) if not use.writes and use.package not in listed.ABOVE_ALL
    ]
    grouped = by_package(reads)

    assert names(grouped) == names(listed.READS), grouped


def test_nobody_looks_upwards(found: Found) -> None:
    heights = layers()
    above = [
        use for use in foreign(found) if not is_downward(use.package, owners()[use.table], heights)
    ]

    assert not above, by_package(above)


def test_every_hole_in_sql_is_known(found: Found) -> None:
    assert {hole.file for hole in found.holes} == listed.NOT_OF_THE_READER.keys(), sorted(
        found.holes
    )


@pytest.mark.usefixtures("database")
async def test_every_table_has_one_owner() -> None:
    declared = {str(model._meta.db_table) for model in models()}

    assert declared <= owners().keys()
    assert len(owners()) == len(models_in(code())) + len(listed.OUTSIDE_THE_MODELS)


def test_every_exception_has_its_reason() -> None:
    for reasons in listed.READS.values():
        assert all(len(reason) > 10 for reason in reasons.values())


# --- The finder itself ---


A_MODEL = """
class Wallet(OwnedModel):
    class Meta:
        table = "wallets"
"""

IMPORTED = "from core.wallet.models import Wallet\n"

MAKES_A_PAGE = "def newest_page(table, where): ..."


def uses_in(code: str, *, package: str = "core/sms") -> Found:
    """What the finder sees in a file of a package, beside a package with a table `wallets`."""
    these = [
        Module.read("core/wallet/models.py", A_MODEL),
        Module.read("core/foundation/pages.py", MAKES_A_PAGE),
        Module.read(f"{package}/file.py", code),
    ]
    known = {"wallets": "core.wallet", "messages": "core.messaging"}
    filled = {("core/sms/file.py", "known"): ["wallets"]}
    return Finder(known, {"newest_page": Taker("table")}, filled).find(these)


READING_CODE = {
    "a FROM": 'SQL = "SELECT * FROM wallets WHERE id = $1"',
    "a JOIN": 'SQL = "SELECT * FROM unnest($1) AS a JOIN wallets w ON w.id = a.id"',
    "the second of a list": 'SQL = "SELECT * FROM unnest($1::text[], $2) AS a (x, y), wallets w"',
    "a fragment": 'SQL = "wallets w LEFT JOIN held h ON true"',
    "an f-string": 'sql = f"SELECT {columns} FROM wallets WHERE {where}"',
    "a condition": 'SQL = "NOT EXISTS (SELECT FROM wallets)"',
    "an UPDATE of its own rows from it": 'SQL = "UPDATE held SET x = 1 FROM wallets w WHERE true"',
    "a function that takes a table": 'newest_page("wallets", where)',
    "a name that is filled in": 'sql = f"SELECT FROM {known}"',
    "a model": IMPORTED + "row = await Wallet.visible_to(caller).get_or_none(id=id)",
    "behind a comment with an apostrophe": 'SQL = "-- it\'s all\\nSELECT FROM wallets"',
}

WRITING_CODE = {
    "INSERT": 'SQL = "INSERT INTO wallets (id) VALUES ($1)"',
    "INSERT without columns": 'SQL = "INSERT INTO wallets SELECT * FROM x"',
    "UPDATE": 'SQL = "WITH a AS (SELECT 1) UPDATE wallets w SET x = 1"',
    "DELETE": 'SQL = "DELETE FROM wallets WHERE id = $1"',
    "a model that creates": IMPORTED + "await Wallet.create(id=id)",
    "a model that changes a set": IMPORTED + "await Wallet.filter(id=id).update(coins=0)",
    "a row that is saved": IMPORTED + "wallet = await Wallet.get(id=id)\nawait wallet.save()",
    "a row that was handed in": IMPORTED
    + "async def pay(wallet: Wallet):\n    await wallet.save(update_fields=[])",
}

NO_USE = {
    "a docstring": '"""Read FROM wallets."""',
    "English": 'text = "Money comes from wallets, and goes to wallets"',
    "a lock": 'SQL = "SELECT FROM x FOR UPDATE"',
    "its own name of a WITH": 'SQL = "WITH wallets AS MATERIALIZED (SELECT 1) SELECT * FROM wallets"',
    "a column": 'SQL = "SELECT wallets FROM x WHERE x.wallets = 1"',
    "another class of that name": "from email import Wallet\nawait Wallet.get(id=id)",
    "a function": 'SQL = "SELECT * FROM wallets($1)"',
}


@pytest.mark.parametrize("code", READING_CODE.values(), ids=READING_CODE)
def test_a_read_is_found(code: str) -> None:
    assert {(use.package, use.table, use.writes) for use in uses_in(code).uses} == {
        ("core.sms", "wallets", False)
    }


@pytest.mark.parametrize("code", WRITING_CODE.values(), ids=WRITING_CODE)
def test_a_write_is_found(code: str) -> None:
    assert ("core.sms", "wallets", True) in {
        (use.package, use.table, use.writes) for use in uses_in(code).uses
    }


@pytest.mark.parametrize("code", NO_USE.values(), ids=NO_USE)
def test_what_is_no_use_is_none(code: str) -> None:
    assert uses_in(code).uses == []


def test_what_both_reads_and_writes_is_both() -> None:
    (write, read) = uses_in('SQL = "UPDATE wallets SET x = 1 FROM messages m WHERE m.id = $1"').uses

    assert (write.table, write.writes) == ("wallets", True)
    assert (read.table, read.writes) == ("messages", False)


def test_a_hole_that_nobody_knows_is_told() -> None:
    (hole,) = uses_in('sql = f"DELETE FROM {anything}"').holes

    assert (hole.file, hole.expression, hole.writes) == ("core/sms/file.py", "anything", True)


def test_a_violation_is_told_with_its_place() -> None:
    (use,) = uses_in('\nSQL = "DELETE FROM wallets"').uses

    assert (use.package, use.table, use.place) == ("core.sms", "wallets", "core/sms/file.py:2")


def test_the_order_of_tables_is_that_of_the_imports() -> None:
    heights = layers()

    assert is_downward("core.sms", "core.messaging", heights)
    assert not is_downward("core.messaging", "core.sms", heights)
    assert not is_downward("core.sms", "core.email", heights)
    assert is_downward("cli.seed", "core.privacy", heights)
