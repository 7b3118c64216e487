"""Conditions on other tables as SQL over `contacts c`: sets found once, not contact by contact."""

from core.segments.card_leaf import CardAsked, contacts_on_cards
from core.segments.contact_leaves import or_not
from core.segments.leaves import EventAsked, Leaf
from core.segments.parameters import Parameters


def by_channel(to: Parameters, leaf: Leaf) -> str:
    wanted = leaf.value if isinstance(leaf.value, list) else [leaf.value]
    found = (
        "c.id IN (SELECT m.contact_id FROM messages m WHERE m.organization_id = $1 AND m.env = $2 "
        f"AND m.contact_id IS NOT NULL AND m.channel = ANY ({to.value(wanted)}::text[]) "
        "AND (m.direction = 'inbound' OR m.status IN ('sent', 'delivered', 'read')))"
    )
    return or_not(found, leaf)


def by_event(to: Parameters, leaf: Leaf) -> str:
    asked: EventAsked = leaf.value
    within = f"AND e.occurred_at >= {to.days_ago(asked.within_days)} " if asked.within_days else ""
    often = f"GROUP BY e.contact_id HAVING count(*) >= {asked.count}" if asked.count > 1 else ""
    found = (
        "c.id IN (SELECT e.contact_id FROM customer_events e WHERE e.organization_id "
        "= $1 AND e.env = $2 "
        f"AND e.contact_id IS NOT NULL AND e.name = {to.value(asked.name)} {within}{often})"
    )
    return or_not(found, leaf)


def by_list(to: Parameters, leaf: Leaf) -> str:
    wanted = leaf.value if isinstance(leaf.value, list) else [leaf.value]
    found = (
        "c.id IN (SELECT m.contact_id FROM contact_list_members m WHERE "
        "m.organization_id = $1 AND m.env = $2 "
        f"AND m.list_id = ANY ({to.value(wanted)}::text[]))"
    )
    return or_not(found, leaf)


def by_card(to: Parameters, leaf: Leaf) -> str:
    return or_not(contacts_on_cards(leaf.value or CardAsked(), to.value, to.days_ago), leaf)


def by_clicked(to: Parameters, leaf: Leaf) -> str:
    match leaf.operator:
        case "is" | "isNot":
            more = f" AND m.campaign_id = {to.value(leaf.value)}"
        case "withinDays":
            more = f" AND s.last_clicked_at >= {to.days_ago(leaf.value)}"
        case _:
            more = ""
    found = (
        "c.id IN (SELECT m.contact_id FROM short_links s JOIN messages m ON m.id = s.message_id "
        "WHERE s.organization_id = $1 AND s.env = $2 AND m.organization_id = $1 AND m.env = $2 "
        f"AND s.first_clicked_at IS NOT NULL AND m.contact_id IS NOT NULL{more})"
    )
    return or_not(found, leaf)
