"""Questions that read a large table whole, or take long, by their nature: exact totals of what most
rows match, and conditions that no index knows. docs/limits.md tells them. Whatever else does is a
fault, and this list only shrinks.
"""

import re
from collections.abc import Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ByNature:
    """Questions of these names may read these tables whole. `takes_long`: they may be slow too."""

    questions: str
    tables: str
    why: str
    takes_long: bool = False

    def covers(self, question: str, scanned: Set[str]) -> bool:
        """Whether it is such a question, and reads nothing else whole."""
        return scanned <= set(self.tables.split()) and bool(
            re.fullmatch(self.questions, question.removeprefix("small: ").removesuffix(" deep"))
        )


TOTAL = "the exact total of what most rows match"
FEW_OF_MANY = "a condition that no index knows is tried on every contact"
SUMS = "the sums of every row of the period"

BY_NATURE = (
    ByNature(r"GET /v2/sms/messages\?region=.*", "messages", TOTAL, takes_long=True),
    ByNature(r"\{ walletTransfers \} .*", "wallet_transfers", TOTAL, takes_long=True),
    ByNature(r"\{ conversations \} .*", "conversation_pairs", TOTAL),
    ByNature(r"\{ quotes \} .*", "quotes", TOTAL),
    ByNature(r"\{ auditEntries \} .*", "audit_entries", TOTAL, takes_long=True),
    ByNature(r"\{ pushDevices \} .*", "push_devices", TOTAL, takes_long=True),
    ByNature(r"\{ messageBatches \} .*", "message_batches", TOTAL),
    ByNature(
        r"(GET /v2/email/suppressions|\{ emailSuppressions \}).*", "email_suppressions", TOTAL
    ),
    ByNature(
        r"(GET /v2/smpp/outbox|\{ smppOutbox \}|console DeveloperSmpp).*",
        "smpp_replies",
        TOTAL,
        takes_long=True,
    ),
    ByNature(r"GET /contacts\?q=an?(&skip=\d+)?", "contacts", FEW_OF_MANY),
    ByNature(r"\{ contacts \} .*('q': 'an?'|'attributes'|'none').*", "contacts", FEW_OF_MANY, True),
    ByNature(r"console SegmentCount", "contacts", FEW_OF_MANY),
    ByNature(r"POST /v2/segments/preview .*", "contacts", FEW_OF_MANY),
    ByNature(r"POST /v2/segments/preview part of an attribute", "contacts", FEW_OF_MANY, True),
    ByNature(
        r"POST /v2/segments/preview a channel", "contacts messages", "messages of all time", True
    ),
    ByNature(
        r"\{ messageStats \} .*(Kathmandu|Kolkata).*",
        "",
        "messages of the hours that days cut",
        takes_long=True,
    ),
    ByNature(r"GET /v2/statistics/provider-costs.*", "provider_costs", SUMS),
    ByNature(r"\{ decisionStats \} .*", "refusal_counts", SUMS),
    ByNature(
        r".* ?deliveries.*(message\.sent|MESSAGE_SENT).*",
        "webhook_events",
        "few events of a type that messages have as a rule",
        takes_long=True,
    ),
)


def is_by_nature(question: str, scanned: Set[str], *, long: bool) -> bool:
    """Whether a question may read these tables whole, and take long where it does."""
    return any(one.covers(question, scanned) and (one.takes_long or not long) for one in BY_NATURE)
