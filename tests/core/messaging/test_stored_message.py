"""A row of messages as a type has the columns of the table."""

from types import NoneType
from typing import get_args, get_type_hints

from core.messaging import Message, StoredMessage


def test_a_stored_message_has_every_column_and_knows_which_may_be_null() -> None:
    hints = get_type_hints(StoredMessage)
    nullable = {name: NoneType in get_args(hint) for name, hint in hints.items()}
    assert nullable == {name: field.null for name, field in Message._meta.fields_map.items()}
