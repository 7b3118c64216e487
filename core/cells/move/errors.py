"""Why an organization is not moved, or a cell is not changed: sentences for whoever asked for it in the shell."""

from core.foundation.errors import Conflict


class MoveRefused(Exception):
    """The organization works on in the cell where it is."""


class UnlikeTables(MoveRefused):
    """The two cells do not have the same tables, or columns."""


class NotTheSame(MoveRefused):
    """Tables that differ between the two cells."""

    def __init__(self, tables: list[str]) -> None:
        super().__init__(f"not the same in both cells: {', '.join(tables)}; undo the move")
        self.tables = tables


class HoursDiffer(MoveRefused):
    """The two cells have not closed the same hours."""

    def __init__(self) -> None:
        super().__init__(
            "the two cells have not closed the same hours of statistics; workers close an hour some 65 "
            "minutes after its end: run a worker for each, and repeat this in some minutes"
        )


class AlreadyThere(MoveRefused):
    """The cell that is to be entered has rows of the organization, which are no move's."""

    def __init__(self) -> None:
        super().__init__("the cell has an organization of this id already, which no move brought")


class MachineAway(MoveRefused):
    """The machine on which Citus keeps a cell cannot be reached from here."""

    def __init__(self, machine: str) -> None:
        super().__init__(
            f"{machine}, the machine on which Citus keeps the cell, does not let the role of the cell in "
            "from here; a move reads and writes rows there: run it where that machine can be reached"
        )


class SchemaChanges(MoveRefused):
    """The tables of a cell are being changed: what is read of them now does not last."""

    def __init__(self, cell: str) -> None:
        super().__init__(
            f"the tables of the cell {cell} are being changed, by svc migrate or svc partitions enable: "
            "repeat this when that has ended"
        )


class OrganizationMoves(Conflict):
    """An organization is on its way into the cell or out of it."""

    default_detail = (
        "An organization is being moved into this cell or out of it: svc doctor names a move that was "
        "broken off, and what ends it."
    )


class PlacedAnew(MoveRefused):
    """Citus has moved a cell to another machine meanwhile."""

    def __init__(self) -> None:
        super().__init__("meanwhile Citus has moved a cell to another machine; repeat this")


class MayNotCopy(MoveRefused):
    """The role of a cell may not write rows without what triggers do."""

    def __init__(self, role: str, machine: str | None) -> None:
        server = "that database's server" if machine is None else machine
        super().__init__(
            f"the role {role} may not copy rows as they are: let a superuser say, in "
            f"{server}, GRANT SET ON PARAMETER session_replication_role TO {role} (PostgreSQL 15 or newer)"
        )


class TablesChanged(Exception):
    """A migration has run in both cells since the move began: it begins anew, with the tables of now."""


class NotInTime(MoveRefused):
    """Writes would have waited for too long, however often it was tried."""

    def __init__(self) -> None:
        super().__init__(
            "its writes would have to wait for too long; repeat this when it writes less, or undo the move"
        )


class TableInUse(MoveRefused):
    """A transaction that does not end holds a table: the gate could not be put up."""


class CannotBeUndone(MoveRefused):
    """The organization lives in the other cell already."""

    def __init__(self) -> None:
        super().__init__(
            "it lives in the other cell already: repeat the move, which finishes it, and move it back then"
        )


class AnotherMove(MoveRefused):
    """It is being moved to another place, or by another process, or is not being moved."""
