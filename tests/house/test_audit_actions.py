"""The page about the audit trail names every action, and no other."""

import re

from tests.support.audit_actions import ROOT, actions_in

PAGE = ROOT / "docs" / "audit.md"


def documented() -> list[str]:
    """The first column of the page's table."""
    return re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_every_action_is_documented_once() -> None:
    """A new use case in the trail needs a line in docs/audit.md."""
    assert sorted(documented()) == sorted(actions_in())


def test_an_action_is_a_noun_and_what_was_done() -> None:
    assert [
        name
        for name in actions_in()
        if not re.fullmatch(r"[a-z_]+\.[a-z_]+", name) or len(name) > 60
    ] == []
