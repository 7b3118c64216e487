"""The send pipeline of every channel that does not batch: RCS, e-mail and conversations.

A channel makes a `SendRequest` (the row with its price, the key, what is written in the same
transaction) and calls

    accepted = await send_once(request, hand_over=…, again=…)

`send_once` looks the key up (a repeat is answered here), refuses what the channel forbids, and
stores key, hold, message, answer and everything of `also_write` in one transaction, in which
opt-out and balance are checked. A request with an `answer` is done then. One without is handed to
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

SMS accepts hundreds of sends in one statement (core.sms.write_batch); the rules are the same, and
what is pure is shared.
"""

from core.messages.sending.accept import accept
from core.messages.sending.accept_outcomes import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    InProgress,
    OutcomePending,
)
from core.messages.sending.errors import (
    Landline,
    NoProvider,
    NoSuchContact,
    OutcomeUnknown,
    ProviderOutOfCredit,
    ProviderRefused,
    RecipientOptedOut,
    landline_refusal,
)
from core.messages.sending.hand_over_again import Candidate, claim_again, count_again, may_repeat
from core.messages.sending.reconcile import RECONCILE_AFTER, ask, claim_due, leased, verdict_of
from core.messages.sending.send_once import send_once
from core.messages.sending.send_request import Record, SendRequest
from core.messages.sending.settle import (
    ChannelPolicy,
    Diverted,
    Indeterminate,
    Verdict,
    as_one_attempt,
    release_expired_holds,
    settle,
)

__all__ = [
    "RECONCILE_AFTER",
    "AcceptOutcome",
    "AcceptedSend",
    "AwaitingProvider",
    "Candidate",
    "ChannelPolicy",
    "Diverted",
    "InProgress",
    "Indeterminate",
    "Landline",
    "NoProvider",
    "NoSuchContact",
    "OutcomePending",
    "OutcomeUnknown",
    "ProviderOutOfCredit",
    "ProviderRefused",
    "RecipientOptedOut",
    "Record",
    "SendRequest",
    "Verdict",
    "accept",
    "as_one_attempt",
    "ask",
    "claim_again",
    "claim_due",
    "count_again",
    "landline_refusal",
    "leased",
    "may_repeat",
    "release_expired_holds",
    "send_once",
    "settle",
    "verdict_of",
]
