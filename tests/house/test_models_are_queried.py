"""A model is worked with: its package makes, reads or changes single rows through it. The others say why not."""

from tests.house import table_readers as listed
from tests.house.table_uses import models_in, modules, queried_models

NOT_QUERIED = {
    "CampaignCompletion": "written `ON CONFLICT … WHERE`: who was quicker tells of it; read by the walk over all campaigns",
    "ContactDenial": "denials of a batch of contacts are put in force, lifted and looked for together",
    "ConversationPair": "windows of a batch of messages are opened, looked up and locked together",
    "JourneyStepCount": "the statements that move runs count them, and only sums are read",
    "MessageCount": "written by triggers and merged, and only sums are read",
    "MessageHour": "hours of all owners are counted and merged together, and only sums are read",
    "MessageReceipt": "reports are logged as a provider tells them, many at once, and looked up so",
    "OrganizationGate": "written over connections of its own to the cells of a move, not the pools that models have",
    "OutboxEmail": "the path of sends: written by the statement that accepts, read on the way out, deleted in batches",
    "ParkedReceipt": "a queue: reports are kept, taken and put back in batches",
    "PlatformNotice": "a queue: notices are stored, leased and finished in batches",
    "ProviderCost": "written beside the messages of a batch of events, and added up",
    "ProviderCursor": "PostgreSQL decides: one worker of all reads on (`ON CONFLICT … WHERE`), and it only grows (`greatest`)",
    "PushDelivery": "a queue with a row for each device: written, claimed and settled by statements over many",
    "QueuedEvent": "a queue: written with the events of a batch, emptied by the statement that gives positions",
    "RefusalCount": "added up by the statement that keeps the refusals of a batch",
    "SandboxReport": "a queue: written by the statement that accepts, taken in batches",
    "ShortLink": "stored with a batch of messages, clicks on many are counted together, and a code is looked for in all cells",
    "SmppLinkPart": "parts are noted, asked about and matched with their receipts in batches",
    "SmppLinkReport": "a queue: reports are kept, claimed and dropped in batches",
    "SmppReply": "a queue: replies are kept, claimed and settled in batches",
    "SmppSubmit": "one statement finds the first of the same submits, or notes it, for a batch",
    "SmsVolume": "counted and locked for all routes of a batch of sends",
    "UnconfirmedAttempt": "counted and granted for all organizations of a batch of deliveries",
    "WalletDay": "added to by the statement that sums a slice of the ledger, and read with it",
}
"""Models whose table only SQL touches, each with its reason: they declare it for the migrations and the catalogue."""

AT_MOST = 25
"""This only shrinks: lower it with each model that goes."""


def test_every_model_is_queried_or_says_why_not() -> None:
    code = modules(frozenset(listed.TAKERS))
    untouched = models_in(code).keys() - queried_models(code)

    assert untouched == NOT_QUERIED.keys()


def test_the_list_only_shrinks() -> None:
    assert len(NOT_QUERIED) == AT_MOST
    assert all(len(reason) > 20 for reason in NOT_QUERIED.values())
    assert len(set(NOT_QUERIED.values())) == len(NOT_QUERIED), "each has a reason of its own"
