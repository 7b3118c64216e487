"""The one table of every channel's messages, and the one way a message is sent.

A channel makes a `SendRequest` (the row with its price, the key, what is written with it) and calls

    accepted = await send_once(channel, request, acceptance=…, hand_over=…, again=…)

Its acceptance is a `Combiner` of `accept_batch` with the channel's `SendChannel`: concurrent sends of
a process become one statement, which takes keys and holds, checks opt-outs and balances, and stores
messages, answers and what stands beside them. A repeat of a key is answered here; what the channel
forbids is refused before. A request with an `answer` is done then. One without is handed to
`hand_over(request)` with no transaction open: it asks the provider and calls the channel's
`settle`, which moves the row under its lock, captures or releases, stores or frees the key, and
publishes; what an answer means is the channel's policy (`ChannelPolicy`). A repeat that comes
meanwhile waits ten seconds; a repeat of an unknown outcome gets the message as it stands, through
`again(caller, id)`.

A crash in between leaves an open row whose `settle_at` (set it to `created_at + RECONCILE_AFTER` in
the request) comes: `reconcile` asks the provider about such rows, and settles by what its answer
means. One that the provider does not know is handed over again, the same under the same id, where
the provider promises to take an id only once; by the others nothing is ever handed over twice.
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
from core.messaging.announce import (
    announce_messages,
    changed,
    hint_journeys,
    on_journey_messages,
)
from core.messaging.archive import (
    FINISHED,
    ArchiveOwner,
    archive_older,
    archive_one,
    note_replacements,
)
from core.messaging.by_quote import Offer, UnitSends, accept_by_quote, write_by_quote
from core.messaging.channel import OWN_COLUMNS, Obstacle, SendChannel
from core.messaging.channel_package import ChannelPackage
from core.messaging.counts import merge_counts, take_off_counts
from core.messaging.delivery_reports.apply import (
    StatusUpdate,
    apply_status_updates,
    correct_times,
    count_moved,
)
from core.messaging.delivery_reports.apply_matched import (
    MatchedReport,
    ReportRules,
    apply_matched,
)
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
    MessageNotCancelable,
    NoProvider,
    NoSuchContact,
    OutcomeUnknown,
    ProviderOutOfCredit,
    ProviderRefused,
    RecipientOptedOut,
    landline_refusal,
)
from core.messaging.fail_over import hand_over_in_turn
from core.messaging.find import (
    ids_of_references,
    lock_matching,
    owners_of_references,
    remember_references,
)
from core.messaging.forget_person import forget_person
from core.messaging.hand_over import HandOver
from core.messaging.hand_over_again import Repeatable, hand_over_again, since_of
from core.messaging.hours import close_hours, merge_hours
from core.messaging.hours_of_cells import have_same_hours, take_over_hours
from core.messaging.insert import (
    MessageRow,
    WrittenRow,
    insert_messages,
    store_messages,
    write_messages,
)
from core.messaging.message_channel import MessageChannel, channel_of, register
from core.messaging.models import (
    CONVERSATIONS,
    Channel,
    Direction,
    Message,
    MessagePriority,
    Status,
)
from core.messaging.moves import may_become
from core.messaging.outbox import mark_begun
from core.messaging.phone_answers import (
    Diverted,
    Indeterminate,
    PhoneVerdict,
    Stopped,
    as_one_attempt,
    phone_state,
)
from core.messaging.queries import ChannelMessages
from core.messaging.queue.accept import (
    QueuedMessageRow,
    SendSchedule,
    SentByJourney,
    accept_queued,
    waiting_row,
)
from core.messaging.queue.cancel import cancel_queued
from core.messaging.queue.dispatcher import QueueDispatcher
from core.messaging.queue.due_organizations import DueOrganization, next_waiting
from core.messaging.queue.expire import EXPIRY_BATCH_SIZE, NEXT_EXPIRY, end_expired
from core.messaging.queue.on_opt_out import cancel_marketing
from core.messaging.queue.phone_queue import PhoneDispatcher, PhoneQueue, ReadyMessage, queue_of
from core.messaging.queue.replace import Replacement, lock_scheduled, write_replacement
from core.messaging.queue.withdraw import delete_waiting, withdraw
from core.messaging.received_files import (
    DueFile,
    begin_examination,
    claim_due_files,
    end_examination,
    keep_copy,
    settle_file,
    take_copies,
)
from core.messaging.reconcile import (
    OtherWay,
    Reconciliation,
    ask,
    claim_due,
    leased,
    next_to_settle,
    reconcile,
    report_of_end,
    verdict_of,
)
from core.messaging.record import Billing, MessageOrigin, OriginKind
from core.messaging.renew_texts import renew_texts
from core.messaging.send_once import BatchedAcceptance, send_once
from core.messaging.send_request import Record, SendRequest
from core.messaging.sends import count_refused_send, count_send
from core.messaging.settle import (
    INDETERMINATE,
    Batch,
    ChannelPolicy,
    Money,
    NextState,
    Result,
    Settlement,
    held_prices,
    pay_held,
    refusal_of,
    release_expired_holds,
    reopen,
    settle,
    settle_revived,
    was_refused,
)
from core.messaging.stand_in import (
    accept_stand_in,
    begin_stand_in,
    divert,
    fail_stand_in,
    look_again,
    note_paths,
    put_stand_in_off,
)
from core.messaging.stored_message import HeldMessage, StoredMessage, fetch_message, fetch_messages
from core.messaging.timeouts import RECONCILE_AFTER

__all__ = [
    "CONVERSATIONS",
    "EXPIRY_BATCH_SIZE",
    "FINISHED",
    "INDETERMINATE",
    "NEXT_EXPIRY",
    "OWN_COLUMNS",
    "RECONCILE_AFTER",
    "AcceptOutcome",
    "AcceptedSend",
    "ArchiveOwner",
    "AwaitingProvider",
    "Batch",
    "BatchedAcceptance",
    "Billing",
    "Channel",
    "ChannelMessages",
    "ChannelPackage",
    "ChannelPolicy",
    "Direction",
    "Diverted",
    "DueFile",
    "DueOrganization",
    "HandOver",
    "HeldMessage",
    "InProgress",
    "Indeterminate",
    "Landline",
    "LoggedReport",
    "MatchedReport",
    "MatchedReports",
    "Message",
    "MessageChannel",
    "MessageNotCancelable",
    "MessageOrigin",
    "MessagePriority",
    "MessageRow",
    "Money",
    "NextState",
    "NoProvider",
    "NoSuchContact",
    "Obstacle",
    "Offer",
    "OriginKind",
    "OtherWay",
    "OutcomePending",
    "OutcomeUnknown",
    "PhoneDispatcher",
    "PhoneQueue",
    "PhoneVerdict",
    "ProviderOutOfCredit",
    "ProviderRefused",
    "QueueDispatcher",
    "QueuedMessageRow",
    "ReadyMessage",
    "RecipientOptedOut",
    "Reconciliation",
    "Record",
    "Repeatable",
    "Replacement",
    "ReportRules",
    "Result",
    "SendChannel",
    "SendRequest",
    "SendSchedule",
    "SentByJourney",
    "Settlement",
    "Status",
    "StatusUpdate",
    "Stopped",
    "StoredMessage",
    "UnitSends",
    "UnmatchedReport",
    "WrittenRow",
    "accept_batch",
    "accept_by_quote",
    "accept_queued",
    "accept_stand_in",
    "announce_messages",
    "applies_reports",
    "apply_matched",
    "apply_reports",
    "apply_status_updates",
    "archive_older",
    "archive_one",
    "as_one_attempt",
    "ask",
    "begin_examination",
    "begin_stand_in",
    "cancel_marketing",
    "cancel_queued",
    "changed",
    "channel_of",
    "claim_due",
    "claim_due_files",
    "close_hours",
    "correct_times",
    "count_moved",
    "count_refused_send",
    "count_send",
    "delete_waiting",
    "divert",
    "end_examination",
    "end_expired",
    "fail_stand_in",
    "fetch_message",
    "fetch_messages",
    "forget_person",
    "hand_over_again",
    "hand_over_in_turn",
    "have_same_hours",
    "held_prices",
    "hint_journeys",
    "ids_of_references",
    "insert_messages",
    "keep_copy",
    "keep_unmatched",
    "landline_refusal",
    "leased",
    "lock_matching",
    "lock_scheduled",
    "log_reports",
    "look_again",
    "mark_begun",
    "may_become",
    "merge_counts",
    "merge_hours",
    "next_to_settle",
    "next_waiting",
    "note_paths",
    "note_replacements",
    "on_journey_messages",
    "owners_of_references",
    "pay_held",
    "phone_state",
    "put_stand_in_off",
    "queue_of",
    "receive_reports",
    "reconcile",
    "refusal_of",
    "register",
    "release_expired_holds",
    "remember_references",
    "renew_texts",
    "reopen",
    "report_from_json",
    "report_of_end",
    "requeue_unmatched",
    "send_once",
    "settle",
    "settle_file",
    "settle_revived",
    "since_of",
    "store_messages",
    "take_copies",
    "take_due_unmatched",
    "take_off_counts",
    "take_over_hours",
    "verdict_of",
    "waiting_row",
    "was_refused",
    "withdraw",
    "write_by_quote",
    "write_messages",
    "write_replacement",
]
