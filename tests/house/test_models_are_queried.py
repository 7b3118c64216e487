"""A model is worked with: its package makes, reads or changes single rows through it. The others say why not."""

from tests.house import table_readers as listed
from tests.house.table_uses import models_in, modules, queried_models

BATCHES = "rows are written by batch statements only, and read in sets"
SENDING = "the hot path of sending: one statement writes it together with other tables"
SUMS = "counts and sums are kept by statements over sets and by triggers"
QUEUE = "a queue: claimed, settled and deleted in batches"

NOT_QUERIED = {
    "CampaignCompletion": BATCHES,
    "ContactDenial": BATCHES,
    "ConversationPair": SENDING,
    "OrganizationGate": "read by a trigger and by workers, in the cell of whoever asks",
    "OutboxEmail": QUEUE,
    "JourneyStepCount": SUMS,
    "MessageCount": SUMS,
    "MessageHour": SUMS,
    "MessageReceipt": BATCHES,
    "ParkedReceipt": QUEUE,
    "PlatformNotice": QUEUE,
    "ProviderCost": BATCHES,
    "ProviderCursor": "moved on in the statement that stores what was read up to it",
    "PushDelivery": QUEUE,
    "QueuedEvent": QUEUE,
    "RefusalCount": SUMS,
    "SandboxReport": QUEUE,
    "ShortLink": SENDING,
    "SmppLinkPart": BATCHES,
    "SmppLinkReport": QUEUE,
    "SmppReply": QUEUE,
    "SmppSubmit": BATCHES,
    "SmsVolume": SUMS,
    "UnconfirmedAttempt": "counted in one statement, on every attempt at a stranger's host",
    "WalletDay": SUMS,
}
"""Models whose table only SQL touches: they declare it for the migrations and the catalogue. This only shrinks."""


def test_every_model_is_queried_or_says_why_not() -> None:
    code = modules(frozenset(listed.TAKERS))
    untouched = models_in(code).keys() - queried_models(code)

    assert untouched == NOT_QUERIED.keys()
