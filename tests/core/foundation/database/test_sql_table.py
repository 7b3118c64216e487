"""Tables whose rows SQL alone touches."""

import pytest
from tortoise.models import Model

from core.foundation.security.caller import system_caller
from core.wallet.models import WalletDay
from core.webhooks.models import UnconfirmedAttempt

WITHOUT_ROWS = {
    "Meta",
    "clone",
    "construct",
    "describe",
    "get_table",
    "pk",
    "register_listener",
    "update_from_dict",
}
"""What else a model of Tortoise offers: none of it reaches the database."""


@pytest.mark.parametrize("table", [WalletDay, UnconfirmedAttempt])
def test_every_query_of_it_is_refused(table: type[Model]) -> None:
    queries = {name for name in vars(Model) if not name.startswith("_")} - WITHOUT_ROWS
    assert {"filter", "create", "save", "delete"} < queries

    for name in queries:
        with pytest.raises(TypeError, match=f"^rows of {table.__name__} are touched by SQL alone"):
            getattr(table, name)
        with pytest.raises(TypeError, match="see its docstring"):
            getattr(table(), name)


async def test_neither_is_there_a_way_around_by_its_owner_or_its_key() -> None:
    mine = system_caller("org_mine", "test")

    with pytest.raises(TypeError, match="SQL alone"):
        WalletDay.visible_to(mine)
    with pytest.raises(TypeError, match="SQL alone"):
        await WalletDay[1]
