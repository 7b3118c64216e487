"""There is one way a message is sent: what stands once stays there once.

`test_table_owners.py` knows who writes `messages` at all; here it is how rows come into being, who asks
whether somebody opted out, which times hold for the outcome of a send, and who claims keys.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from core.messaging import timeouts

CORE = Path(__file__).parents[2] / "core"

ASKS_FOR_DENIALS = {
    "messaging/opt_out.py": "the question of every send",
    "contacts/consent_log.py": "denials are kept there",
    "contacts/denial_facts.py": "tells people which denial holds, and sends nothing",
    "contacts/ninth_digit.py": "files denials under the other form of a phone",
    "privacy/export_contact.py": "gives people what is known of them",
    "push/audience.py": "counts whom a notification passes over; whom it reaches is asked as everywhere",
}
CLAIMS_KEYS = {
    "messaging/accept.py": "sends, whose answer comes from a provider",
    "messaging/accept_statement.py": "the claims of the statement that accepts them",
}


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(CORE.rglob("*.py")):
        place = path.relative_to(CORE).as_posix()
        if not place.startswith("migrations/"):
            yield place, ast.parse(path.read_text("utf-8"))


MODULES = dict(_modules())


def _texts(module: ast.Module) -> Iterator[str]:
    """The constants of a module but for docstrings: SQL is among them."""
    told = {
        id(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def _with_text(pattern: str) -> set[str]:
    return {
        place
        for place, module in MODULES.items()
        if any(re.search(pattern, text) for text in _texts(module))
    }


def test_messages_come_into_being_in_one_place() -> None:
    assert _with_text(r"INSERT INTO messages\b") == {"messaging/insert.py"}


def test_whether_somebody_opted_out_is_asked_by_one_condition() -> None:
    reads = r"\bcontact_denials (n|d|AS denial)\b|FROM contact_denials"
    assert _with_text(reads) == set(ASKS_FOR_DENIALS)
    assert _with_text(r"EXISTS \(SELECT FROM contact_denials") == {"messaging/opt_out.py"}


def test_times_of_outcomes_have_one_home() -> None:
    """A name of `timeouts.py` is no other module's own, and who takes a time takes it from there."""
    names = {name for name in vars(timeouts) if name.isupper()}
    again = {
        f"{place}: {target.id}"
        for place, module in MODULES.items()
        if place != "messaging/timeouts.py"
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in names
    }
    assert again == set()


def test_holds_of_three_days_are_spelt_once() -> None:
    channels = ("messaging/", "sms/", "rcs/", "email/", "conversations/", "push/")
    spelt = {
        place
        for place, module in MODULES.items()
        if place.startswith(channels)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and ast.unparse(node) == "timedelta(hours=72)"
    }
    assert spelt == {"messaging/timeouts.py"}


def test_one_executor_runs_effects_once() -> None:
    claiming = {"claim_many", "claim_sql", "find_many"}
    found = {
        place
        for place, module in MODULES.items()
        if not place.startswith("idempotency/")
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute | ast.Name)
        and (node.attr if isinstance(node, ast.Attribute) else node.id) in claiming
    }
    assert found == set(CLAIMS_KEYS)
    assert _with_text(r"'once '") == {"idempotency/idempotent.py"}
