"""Core knows one clock: whoever asks for the real time, or claims what is due whatever the clock of a
sandbox says, is named here with the reason.
"""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core"

REAL = {
    "core/cells/": "who lives where is the world's",
    "core/foundation/clock.py": "it is the clock",
    "core/foundation/files/": "uploads and files that nobody took are the world's",
    "core/foundation/http_client/posting.py": "Retry-After is held against the receiver's clock",
    "core/foundation/ids.py": "ids are ordered by when they were made",
    "core/idempotency/idempotent.py": "keys live a day of the caller's time",
    "core/media/tickets.py": "a browser's ticket ends by the browser's time",
    "core/messaging/accept.py": "keys live a day of the caller's time",
    "core/messaging/accept_statement.py": "keys live a day of the caller's time",
    "core/organizations/": "credentials, people and their links",
    "core/people/": "credentials, people and their links",
    "core/providers/push/": "tokens of the push services",
    "core/sandbox_clock/": "it moves the clock",
    "core/smpp/": "accounts and binds",
    "core/webhooks/delivery/attempt.py": "receivers hold signatures against their clocks",
    "core/webhooks/delivery/deliver_in_sandbox.py": "addresses that never answered are called so often an hour",
    "core/webhooks/delivery/save_outcomes.py": "the same count begins anew",
    "core/webhooks/signing/verify.py": "receivers hold signatures against their clocks",
    "core/webhooks/subscriptions/": "receivers hold signatures against their clocks",
}

ASKS = re.compile(r"\breal_(?:now|time)\(|\btime\.time(?:_ns)?\(|datetime\.now\(|utcnow\(")

UNMARKED = {
    "core/email/senders/sweep.py": "name servers are asked in the real time",
    "core/journeys/pause.py": "of one version, by whoever lets it go on",
    "core/journeys/runs/due.py": "narrowed by whoever moves them, or measures",
    "core/journeys/runs/fork.py": "of versions that were narrowed before",
    "core/journeys/runs/move.py": "of versions that were narrowed before",
    "core/journeys/runs/steady.py": "of versions that were narrowed before",
    "core/messaging/queue/claim.py": "of senders that were narrowed before",
    "core/messaging/queue/pacing.py": "senders are narrowed behind it",
    "core/push/live_sender.py": "live devices",
    "core/operations/queues.py": "measures, and leaves out sandboxes that have a clock by itself",
    "core/push/sandbox_sender.py": "of dispatches that were narrowed before",
    "core/smpp/link/reports.py": "what operators tell of live messages",
    "core/smpp/receipts.py": "receipts leave by the real time",
    "core/smpp/replies.py": "replies leave by the real time",
    "core/webhooks/delivery/claim.py": "of subscriptions that were narrowed before",
    "core/webhooks/delivery/deliver_in_sandbox.py": "of one sandbox",
    "core/webhooks/delivery/pause.py": "of subscriptions that were narrowed before",
    "core/webhooks/delivery/unconfirmed.py": "of subscriptions that were narrowed before",
}

DUE = re.compile(
    r"(?:\b(?:due_at|settle_at|expires_at|probe_at)|\{TURN\.format\(.*?\)\}) <= \$\d"
    r"(?![^\n]*/\* (?:whose|unless moved))"
)


def sources() -> Iterator[tuple[str, str]]:
    for file in sorted(CORE.rglob("*.py")):
        place = str(file.relative_to(ROOT))
        if "/migrations/" not in place:
            yield place, file.read_text(encoding="utf-8")


def test_whoever_asks_for_the_real_time_says_why() -> None:
    asking = {place for place, text in sources() if ASKS.search(text)}

    unnamed = {place for place in asking if not any(place.startswith(known) for known in REAL)}
    unused = {known for known in REAL if not any(place.startswith(known) for place in asking)}

    assert not unnamed, f"{unnamed}: ask now(), or name the reason for the real time in REAL"
    assert not unused, f"{unused}: nobody asks there any more"


def test_whoever_claims_what_is_due_leaves_sandboxes_to_their_clocks() -> None:
    claiming = {place for place, text in sources() if DUE.search(text)}

    assert claiming == UNMARKED.keys(), (
        f"{claiming ^ UNMARKED.keys()}: mark the statement with /* whose */ and narrow it, or with "
        "/* unless moved */ where the real time counts (core/foundation/moved_clocks.py), add the table to "
        "core/sandbox_clock/dues.py, or name the reason here"
    )
