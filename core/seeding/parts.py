"""What can be seeded. A domain adds a file that writes its part, a line here, and an option of `svc
seed`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.seeding.companies import write_companies
from core.seeding.contacts import write_contacts
from core.seeding.conversations import (
    SENDERS,
    TEMPLATES,
    write_conversations,
    write_numbers,
    write_templates,
)
from core.seeding.deals import PIPELINES, write_deals, write_pipelines
from core.seeding.events import write_events
from core.seeding.lists import LISTS, write_lists
from core.seeding.run import Run
from core.seeding.segments import SEGMENTS, write_segments
from core.seeding.sms import write_messages

MESSAGES_PER_EVENT = 40
SMS_PER_CONVERSATION = 10
"""SMS for each message of a conversation."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A part that nobody asks for: how many rows come with so many of another part."""

    base: str
    count: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Part:
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
    Part("contacts", write_contacts, ("contacts", "contact_consents", "contact_denials")),
    Part(
        "lists",
        write_lists,
        ("contact_lists", "contact_list_members"),
        with_any("contacts", len(LISTS)),
    ),
    Part("companies", write_companies, ("companies", "contacts (company_id, company_role)")),
    Part("messages", write_messages, ("messages", "wallet_transfers", "short_links")),
    Part(
        "numbers", write_numbers, ("numbers", "instagram_accounts"), with_any("messages", SENDERS)
    ),
    Part("templates", write_templates, ("templates",), with_any("messages", TEMPLATES)),
    Part(
        "conversations",
        write_conversations,
        ("messages", "wallet_transfers", "conversation_pairs"),
        Derived("messages", lambda count: count // SMS_PER_CONVERSATION),
    ),
    Part(
        "events",
        write_events,
        ("customer_events",),
        Derived("messages", lambda count: count // MESSAGES_PER_EVENT),
    ),
    Part(
        "pipelines",
        write_pipelines,
        ("pipelines", "pipeline_stages"),
        with_any("deals", len(PIPELINES)),
    ),
    Part("deals", write_deals, ("cards", "card_contacts", "card_history", "card_activities")),
    # Last, so that their sizes count all of it.
    Part("segments", write_segments, ("segments",), with_any("contacts", SEGMENTS)),
)
