"""What is refused about lists."""

from core.foundation.errors import Conflict, ValidationFailed


class ListNameTaken(Conflict):
    default_detail = "Another list has this name; choose one that is free."


class NobodyMatched(ValidationFailed):
    """Replacing the members by nobody would empty the list unasked."""

    default_detail = (
        "None of the identifiers belongs to a contact, so the list stays as it is; "
        "to empty a list, remove its members."
    )
