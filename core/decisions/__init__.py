"""Decisions about sends: the rules, what each says to people, and the sends that they refused.

A channel sends inside `KeepRefusals`, and each refusal (`ServiceError`) names its rule. Traces are
read by `core.read_models.decisions`, those of messages too.
"""

from core.decisions.catalogue import ASKED, RULES_VERSION, TEXTS, RuleTexts
from core.decisions.forget_contact import forget_contact
from core.decisions.inputs import DecisionFilter, SendQuestion
from core.decisions.keep_refusals import KeepRefusals, code_of, facts_of, keep_refusal
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
from core.decisions.sweep import sweep_refusals

__all__ = [
    "ASKED",
    "RULES_VERSION",
    "SKIPPED",
    "TEXTS",
    "DecisionChannel",
    "DecisionFilter",
    "DecisionPage",
    "DecisionRecord",
    "DecisionStep",
    "ExplanationRecord",
    "KeepRefusals",
    "RefusalCount",
    "RefusedSend",
    "RuleOutcome",
    "RuleResult",
    "RuleTexts",
    "SendQuestion",
    "SkippedSend",
    "Verdict",
    "code_of",
    "facts_of",
    "forget_contact",
    "keep_refusal",
    "keep_skipped",
    "sweep_refusals",
]
