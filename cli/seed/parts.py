"""The parts of a seed: a domain adds a file that writes its part, a line here and an option."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cli.seed.companies import write_companies
from cli.seed.contacts import write_contacts
from cli.seed.conversations import (
    SENDERS,
    TEMPLATES,
    write_conversations,
    write_numbers,
    write_templates,
)
from cli.seed.deals import PIPELINES, write_deals, write_pipelines
from cli.seed.events import write_events
from cli.seed.journeys import JOURNEYS, write_journeys
from cli.seed.lists import LISTS, write_lists
from cli.seed.run import Run
from cli.seed.segments import SEGMENTS, write_segments
from cli.seed.sms import write_messages

MESSAGES_PER_EVENT = 40
SMS_PER_CONVERSATION = 10
"""SMS for each message of a conversation."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A part that nobody asks for: how many rows come with so many of another part."""

    base: str
    count: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class SeedPart:
    """Rows of one kind. `write` takes how many there shall be and answers how many it wrote, by
    kind.

    `tables`: those that it fills, as ANALYZE takes them.
    """

    name: str
    write: Callable[[Run, int], Awaitable[dict[str, int]]]
    tables: tuple[str, ...]
    derived: Derived | None = None


def with_any(base: str, many: int) -> Derived:
    """The same number, whatever there is of the other part."""
    return Derived(base, lambda count: many if count else 0)


PARTS = (
    # In the order in which they are written: each may build on those above it (`Run.counts`).
    SeedPart("contacts", write_contacts, ("contacts", "contact_consents", "contact_denials")),
    SeedPart(
        "lists",
        write_lists,
        ("contact_lists", "contact_list_members"),
        with_any("contacts", len(LISTS)),
    ),
    SeedPart("companies", write_companies, ("companies", "contacts (company_id, company_role)")),
    SeedPart("messages", write_messages, ("messages", "wallet_transfers", "short_links")),
    SeedPart(
        "numbers", write_numbers, ("numbers", "instagram_accounts"), with_any("messages", SENDERS)
    ),
    SeedPart("templates", write_templates, ("templates",), with_any("messages", TEMPLATES)),
    SeedPart(
        "conversations",
        write_conversations,
        ("messages", "wallet_transfers", "conversation_pairs"),
        Derived("messages", lambda count: count // SMS_PER_CONVERSATION),
    ),
    SeedPart(
        "events",
        write_events,
        ("customer_events",),
        Derived("messages", lambda count: count // MESSAGES_PER_EVENT),
    ),
    SeedPart(
        "pipelines",
        write_pipelines,
        ("pipelines", "pipeline_stages"),
        with_any("deals", len(PIPELINES)),
    ),
    SeedPart("deals", write_deals, ("cards", "card_contacts", "card_history", "card_activities")),
    # Behind the others, so that their sizes count all of it.
    SeedPart("segments", write_segments, ("segments",), with_any("contacts", SEGMENTS)),
    SeedPart(
        "journeys",
        write_journeys,
        ("journeys", "journey_runs", "journey_trail", "journey_step_counts"),
        with_any("contacts", len(JOURNEYS)),
    ),
)
