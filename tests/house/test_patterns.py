"""Every regular expression of the service takes its worst texts in linear time.

The texts are as long as a body may be deep inside of what an entry point lets through; an exponential or a
cubic pattern would take years for one, a quadratic one many seconds, a linear one milliseconds. The
limit counts the time of the processor, not of the clock: whatever else the machine does, the
verdict is the same.
"""

import re
from typing import Any

import pytest

from core.foundation.security.cpu_limit import CpuLimitExceeded, cpu_limit
from tests.support.patterns import MATCHING, Used, every_pattern
from tests.support.worst_texts import Worst

LENGTH = 50_000
SECONDS = 1.0

EVERY = pytest.mark.parametrize("used", every_pattern(), ids=lambda used: used.where)


def is_linear(used: Used, *, seconds: float = SECONDS) -> str | None:
    """None; else the beginning and the end of a text that takes too long."""
    for text in Worst(used.compiled, n=LENGTH).texts():
        for run in used.runs():
            try:
                with cpu_limit(seconds):
                    run(text)
            except CpuLimitExceeded:
                return f"{text[:40]!r} … {text[-10:]!r}"
    return None


@EVERY
def test_a_pattern_takes_its_worst_texts_in_linear_time(used: Used) -> None:
    assert used.ways, (
        "the pattern is compiled and never used, or used in a way that the test does not see"
    )
    assert is_linear(used) is None, f"make the pattern linear, or scan by hand: {used.where}"


def test_all_of_them_are_found() -> None:
    found = {used.where for used in every_pattern()}

    assert len(every_pattern()) > 100
    for one in (
        "core/foundation/files/contents.py: _MARKUP",
        "core/foundation/observability/logs.py: VALUES",
        "core/webhooks/signing/verify.py: '[0-9]{1,11}'",
        "core/media/inputs.py: MEDIA_TYPE",
    ):
        assert one in found


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (rb"(?is)\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:html|svg)", "match"),  # once ours
        (r"(?:a|a)*b", "match"),
        (r"(?:a|aa)+$", "match"),
        (r"(?:a+)+$", "match"),
        (r"(?:\w+\s?)*!", "fullmatch"),
        (r"(?:(?:ab)*c?)*d", "match"),
        (r"(?:.*,)*x", "match"),
        (r"\d*\d*\d*z", "match"),
        (r"[a-m]*[k-z]*!", "match"),
        (r"\s+$", "search"),
        (r"[^@ ]+@", "sub"),
        (r"<!--.*?-->", "finditer"),
        (r"a(?=b*c)|a(?=[ab]*c)", "search"),
        (r" *(\d{0,18}) *-", "match"),  # once ours
        (r"(?i)[A-Z]+_[a-z]+_[A-Z]+!", "search"),
    ],
)
def test_what_is_not_linear_is_seen(pattern: Any, way: str) -> None:
    assert way in MATCHING

    assert is_linear(Used("here", re.compile(pattern), ways={way}), seconds=0.2) is not None


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (r"[a-z]+@[a-z]+", "fullmatch"),
        (r"(?:[a-z]+\.)*[a-z]+", "fullmatch"),
        (r"(?:a|b)*c", "match"),
        ("x{1,50}y", "sub"),
    ],
)
def test_what_is_linear_is_left_alone(pattern: Any, way: str) -> None:
    assert is_linear(Used("here", re.compile(pattern), ways={way})) is None
