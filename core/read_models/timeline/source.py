"""What a source of entries is: which rows, who may see them, and what an entry shows."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.foundation.described_enum import DescribedEnum
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Field


class Kind(DescribedEnum, graphql="TimelineKind"):
    """The kind of an entry. Entries of one moment stand in the order of these words, backwards as
    everything is.
    """

    CLICK = "click", "A short link that a person followed"
    CONSENT = "consent", "A move of the contact's consent"
    CUSTOMER_EVENT = "customer_event", "Something that the contact did outside messaging"
    MESSAGE = "message", "A message that went out or came in"
    PUSH = "push", "A notification to a device of the contact"
    STAGE_MOVE = "stage_move", "A card of the contact came into a stage"


@dataclass(frozen=True, slots=True)
class EntrySource:
    """One kind of entry. In its SQL, organization and environment are $1 and $2, the contact's id
    is `c.id`, and `t` is the row of the entry (`{t}` in fields, which other reads share).

    `type`: the name of an entry in the schema. `rows`: the query that finds them, open for further
    conditions. `at`, `key`: when it happened, and what tells it from others of the same moment;
    neither may change once the entry is there, or pages would miss it. `scopes`: which rows each
    scope opens.
    """

    kind: Kind
    type: str
    scopes: tuple[tuple[Scope, str], ...]
    rows: str
    at: str
    key: str
    fields: Mapping[str, Field]

    def visible(self, caller: Caller) -> str | None:
        """The condition of the rows that the caller may see; None where there are none."""
        opened = [condition for scope, condition in self.scopes if caller.may(scope)]
        return f"({' OR '.join(opened)})" if opened else None
