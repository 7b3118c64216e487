"""The one table of every channel's messages, and the one way a message is sent.

A channel makes a `SendRequest` (the row with its price, the key, what is written with it) and calls

    accepted = await send_once(channel, request, acceptance=…, hand_over=…, again=…)

Its acceptance is a `Combiner` of `accept_batch` with the channel's `SendChannel`: concurrent sends of
a process become one statement, which takes keys and holds, checks opt-outs and balances, and stores
messages, answers and what stands beside them. A repeat of a key is answered here; what the channel
forbids is refused before. A request with an `answer` is done then. One without is handed to
`hand_over(request)` with no transaction open: it asks the provider and calls `settle(policy, id,
answer)`, which moves the row under its lock, captures or releases, stores or frees the key, and
publishes. A repeat that comes meanwhile waits ten seconds; a repeat of an unknown outcome gets the
message as it stands, through `again(caller, id)`.

A crash in between leaves an open row whose `settle_at` (set it to `created_at + RECONCILE_AFTER` in
the request) comes: the channel's reconciliation takes such rows (`claim_due(channel)`), asks their
provider (`ask`), and settles by what its answer means (`verdict_of`). One that the provider does
not know is handed over again (`claim_again`), the same under the same id, where the provider
promises to take an id only once; by the others nothing is ever handed over twice.
`release_expired_holds` gives back what stayed held for 72 hours.
"""

from core.messaging.accept import accept_batch
from core.messaging.accept_outcomes import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    InProgress,
    OutcomePending,
)
from core.messaging.announce import announce_messages, changed
from core.messaging.channel import OWN_COLUMNS, SendChannel
from core.messaging.counts import merge_counts, take_off_counts
from core.messaging.delivery_reports.apply import StatusUpdate, apply_status_updates, count_moved
from core.messaging.delivery_reports.log import LoggedReport, log_reports
from core.messaging.delivery_reports.receive import (
    MatchedReports,
    applies_reports,
    apply_reports,
    receive_reports,
    report_from_json,
)
from core.messaging.delivery_reports.unmatched import (
    UnmatchedReport,
    keep_unmatched,
    requeue_unmatched,
    take_due_unmatched,
)
from core.messaging.errors import (
    Landline,
    NoProvider,
    NoSuchContact,
    OutcomeUnknown,
    ProviderOutOfCredit,
    ProviderRefused,
    RecipientOptedOut,
    landline_refusal,
)
from core.messaging.fail_over import hand_over_in_turn
from core.messaging.find import lock_matching, remember_references
from core.messaging.forget_person import forget_person
from core.messaging.hand_over_again import Candidate, claim_again, count_again, may_repeat
from core.messaging.hours import close_hours, merge_hours
from core.messaging.insert import MessageRow, insert_messages, store_messages
from core.messaging.models import CONVERSATIONS, Channel, Direction, Message, Status
from core.messaging.moves import may_become
from core.messaging.reconcile import RECONCILE_AFTER, ask, claim_due, leased, verdict_of
from core.messaging.send_once import send_once
from core.messaging.send_request import Record, SendRequest
from core.messaging.sends import count_refused_send, count_send
from core.messaging.settle import (
    ChannelPolicy,
    Diverted,
    Indeterminate,
    Verdict,
    as_one_attempt,
    release_expired_holds,
    settle,
)

__all__ = [
    "CONVERSATIONS",
    "OWN_COLUMNS",
    "RECONCILE_AFTER",
    "AcceptOutcome",
    "AcceptedSend",
    "AwaitingProvider",
    "Candidate",
    "Channel",
    "ChannelPolicy",
    "Direction",
    "Diverted",
    "InProgress",
    "Indeterminate",
    "Landline",
    "LoggedReport",
    "MatchedReports",
    "Message",
    "MessageRow",
    "NoProvider",
    "NoSuchContact",
    "OutcomePending",
    "OutcomeUnknown",
    "ProviderOutOfCredit",
    "ProviderRefused",
    "RecipientOptedOut",
    "Record",
    "SendChannel",
    "SendRequest",
    "Status",
    "StatusUpdate",
    "UnmatchedReport",
    "Verdict",
    "accept_batch",
    "announce_messages",
    "applies_reports",
    "apply_reports",
    "apply_status_updates",
    "as_one_attempt",
    "ask",
    "changed",
    "claim_again",
    "claim_due",
    "close_hours",
    "count_again",
    "count_moved",
    "count_refused_send",
    "count_send",
    "forget_person",
    "hand_over_in_turn",
    "insert_messages",
    "keep_unmatched",
    "landline_refusal",
    "leased",
    "lock_matching",
    "log_reports",
    "may_become",
    "may_repeat",
    "merge_counts",
    "merge_hours",
    "receive_reports",
    "release_expired_holds",
    "remember_references",
    "report_from_json",
    "requeue_unmatched",
    "send_once",
    "settle",
    "store_messages",
    "take_due_unmatched",
    "take_off_counts",
    "verdict_of",
]
