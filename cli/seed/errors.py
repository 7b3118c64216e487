"""What a seed refuses."""

from cli.seed.requested_parts import RequestedPart
from core.foundation.clock import wire_time
from core.foundation.errors import Conflict, PreconditionFailed


class SeededOtherwise(Conflict):
    """This seed has written another set for this owner."""

    def __init__(self, seed: int, asked: RequestedPart) -> None:
        super().__init__(
            f"Seed {seed} was asked for {asked.count} {asked.part} of {asked.days} days as of "
            f"{wire_time(asked.as_of)} here: ask for the same, or take another seed."
        )


class NothingSold(PreconditionFailed):
    default_detail = (
        "The organization's price table sells no SMS route, so it cannot have sent any."
    )


class VolumeMoved(Conflict):
    """The volume decides the price, so what was priced by the old one is not written."""

    default_detail = (
        "Live messages were accepted in these months meanwhile; ask again, to go on "
        "where it stopped."
    )


class NobodyWorksHere(PreconditionFailed):
    default_detail = (
        "The organization has no active account, and lists, companies and deals are "
        "made by somebody."
    )
