"""What can be seeded. A domain adds a file that writes its part, a line here, and an option of `svc seed`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.seeding.contacts import write_contacts
from core.seeding.run import Run
from core.seeding.sms import write_messages


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one kind. `write` takes how many there shall be and answers how many it wrote, by kind.

    `tables`: those that it fills.
    """

    name: str
    write: Callable[[Run, int], Awaitable[dict[str, int]]]
    tables: tuple[str, ...]


PARTS = (
    # In the order in which they are written: each may build on those above it (`Run.counts`).
    Part("contacts", write_contacts, ("contacts", "contact_consents", "contact_denials")),
    Part("messages", write_messages, ("messages", "wallet_transfers")),
)
