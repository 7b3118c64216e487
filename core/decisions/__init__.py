"""Decisions about sends: the rules, what each says to people, and the sends that they refused.

A channel sends inside `KeepRefusals`, and each refusal (`ServiceError`) names its rule. Traces are
read by `core.read_models.decisions`, those of messages too.
"""

from core.decisions.catalogue import ASKED, RULES_VERSION, TEXTS, RuleTexts
from core.decisions.facts import (
    MAX_FACTS_BYTES,
    VERSION,
    Facts,
    facts_of_rule,
    kept_facts,
    short_enough,
)
from core.decisions.forget_contact import forget_contact
from core.decisions.inputs import DecisionFilter, SendQuestion
from core.decisions.keep_refusals import (
    MAX_SKIPS,
    KeepRefusals,
    Refusal,
    Skip,
    code_of,
    explains,
    facts_of,
    keep_refusal,
    keep_skips,
)
from core.decisions.keep_skipped import SKIPPED, SkippedSend, keep_skipped
from core.decisions.models import RefusalCount, RefusedSend
from core.decisions.record import (
    DecisionChannel,
    DecisionPage,
    DecisionRecord,
    DecisionStep,
    ExplanationRecord,
    RuleOutcome,
    RuleResult,
    Verdict,
)
from core.decisions.send_way import SendWay
from core.decisions.sweep import NEXT_RETENTION, sweep_refusals

__all__ = [
    "ASKED",
    "MAX_FACTS_BYTES",
    "MAX_SKIPS",
    "NEXT_RETENTION",
    "RULES_VERSION",
    "SKIPPED",
    "TEXTS",
    "VERSION",
    "DecisionChannel",
    "DecisionFilter",
    "DecisionPage",
    "DecisionRecord",
    "DecisionStep",
    "ExplanationRecord",
    "Facts",
    "KeepRefusals",
    "Refusal",
    "RefusalCount",
    "RefusedSend",
    "RuleOutcome",
    "RuleResult",
    "RuleTexts",
    "SendQuestion",
    "SendWay",
    "Skip",
    "SkippedSend",
    "Verdict",
    "code_of",
    "explains",
    "facts_of",
    "facts_of_rule",
    "forget_contact",
    "keep_refusal",
    "keep_skipped",
    "keep_skips",
    "kept_facts",
    "short_enough",
    "sweep_refusals",
]
