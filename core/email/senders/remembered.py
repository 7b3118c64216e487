"""The senders that a process remembers: whether they may still be written from is asked when a send is
accepted, so that one which was removed counts at once.
"""

from typing import TypeAlias

from core.cells import current
from core.email.addresses import Sender
from core.email.senders.choose import SANDBOX_SENDER, UNVERIFIED, WantedSender
from core.foundation.bounded_cache import BoundedCache

SenderAsked: TypeAlias = tuple[str | None, str | None, bool]
"""What is asked of a sender: that its address or its domain is verified (None: that is known), or
that no address is, so that the sandbox's own is written from.
"""

NOTHING_ASKED: SenderAsked = (None, None, False)

_remembered: BoundedCache[tuple[str, WantedSender], Sender] = BoundedCache(
    max_bytes=4_000_000, weigh=lambda _, sender: 800 + 4 * (len(sender.name) + len(sender.address))
)
"""By cell and what was wanted."""


def remember(wanted: WantedSender, sender: Sender | None) -> None:
    """Who this was found to be; None: nobody."""
    key = (current().name, wanted)
    if sender is None:
        _remembered.forget(key)
    elif _remembered.get(key) != sender:
        _remembered.put(key, sender)


def remembered(wanted: WantedSender) -> tuple[Sender, SenderAsked] | None:
    """Who this is, and what is still to be asked; None where it has to be looked up."""
    sender = _remembered.get((current().name, wanted))
    if sender is None:
        return None
    _, env, name = wanted
    if env == "test" and name is not None:
        return (sender, NOTHING_ASKED) if sender.domain != UNVERIFIED else None
    if env == "test" and sender.address == SANDBOX_SENDER:
        return sender, (None, None, True)
    return sender, (sender.address.lower(), f"@{sender.domain}", False)


CHANGED_SQL = """(r.sender_asked IS NOT NULL AND NOT EXISTS (
            SELECT FROM email_senders s WHERE s.organization_id = r.organization_id AND s.env = r.env
            AND s.address IN (r.sender_asked, r.sender_domain))
        OR r.no_sender AND EXISTS (
            SELECT FROM email_senders s WHERE s.organization_id = r.organization_id AND s.env = r.env
            AND NOT starts_with(s.address, '@')))"""
"""Whether what is asked of the sender of a send `r` is not so (any more)."""
