"""What the console shows of closed sets has words of people, in both of its languages."""

import re

import pytest

from core.foundation.security.caller import Scope
from tests.support.audit_actions import ROOT, actions_in

CONSOLE = ROOT / "console" / "src"
NAMED = re.compile(r'^  "?([\w.:]+)"?: \["[^"]+", "[^"]+"\],$', re.MULTILINE)


def values_of(enum: str) -> list[str]:
    """Those of an enum, as the gateway spells them."""
    schema = (ROOT / "graphql_api" / "schema.graphql").read_text(encoding="utf-8")
    block = re.search(rf"^enum {enum} \{{(.*?)^\}}", schema, re.MULTILINE | re.DOTALL)
    assert block is not None
    return re.findall(r"^  ([A-Z0-9_]+)$", block[1], re.MULTILINE)


@pytest.mark.parametrize(
    ("file", "values"),
    [
        ("ui/words.ts", values_of("FailureReason")),
        ("ui/words.ts", values_of("DecisionRule")),
        ("ui/words.ts", values_of("MessageStatus")),
        ("ui/scopes.ts", list(Scope)),
        ("screens/equipe/actions.ts", sorted(actions_in())),
    ],
)
def test_every_value_has_words(file: str, values: list[str]) -> None:
    """A value without them would be shown as the API spells it."""
    named = NAMED.findall((CONSOLE / file).read_text(encoding="utf-8"))
    assert values
    assert sorted(set(values) - set(named)) == []
