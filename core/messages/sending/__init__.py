"""One send, for every channel that does not batch: what RCS, e-mail and conversations share.

A channel makes a `Draft` (the row with its price, the key, what is written beside it) and calls

    taken = await send_once(draft, hand_over=…, again=…)

`send_once` looks the key up (a repeat is answered here), refuses what the channel forbids, and
writes key, hold, message, stored answer and everything `beside` in one transaction, in which
opt-out and balance are checked. A draft with an `answer` is done then. One without is handed to
`hand_over(draft)` with no transaction open: it asks the provider and calls `settle(terms, id,
answer)`, which moves the row under its lock, captures or releases, stores or frees the key, and
publishes. A repeat that comes meanwhile waits ten seconds; a repeat of an unknown outcome gets the
message as it stands, through `again(caller, id)`.

A crash in between leaves an open row whose `settle_at` (set it to `created_at + ASK_AFTER` in the
draft) comes: `claim_due(channel)` takes such rows, `ask` asks their provider, `verdict_of` says
what its answer means, `settle` writes it down. One that the provider does not know is handed over
again (`claim_again`), the same under the same id, where the provider promises to take an id only
once; by the others nothing is ever handed over twice. `release_forgotten` gives back what stayed
held for 72 hours.

SMS has an intake of its own, which takes hundreds of sends in one statement (core.sms.write_down);
the rules are the same, and what is pure is shared.
"""

from core.messages.sending.draft import Draft, Held, Outcome, Record, Taken, UnderWay, Unsettled
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
from core.messages.sending.look_up import ASK_AFTER, ask, claim_due, leased, verdict_of
from core.messages.sending.send_once import send_once
from core.messages.sending.settle import (
    Diverted,
    Indeterminate,
    Terms,
    Verdict,
    as_one_of_several,
    release_forgotten,
    settle,
)
from core.messages.sending.write_down import take

__all__ = [
    "ASK_AFTER",
    "Candidate",
    "Diverted",
    "Draft",
    "Held",
    "Indeterminate",
    "Landline",
    "NoProvider",
    "NoSuchContact",
    "Outcome",
    "OutcomeUnknown",
    "ProviderOutOfCredit",
    "ProviderRefused",
    "RecipientOptedOut",
    "Record",
    "Taken",
    "Terms",
    "UnderWay",
    "Unsettled",
    "Verdict",
    "as_one_of_several",
    "ask",
    "claim_again",
    "claim_due",
    "count_again",
    "landline_refusal",
    "leased",
    "may_repeat",
    "release_forgotten",
    "send_once",
    "settle",
    "take",
    "verdict_of",
]
