"""The pages about metrics name every metric that is exported, and alert on no other."""

import json
import re
import subprocess
import sys
from functools import cache
from typing import Any

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own, for two calls

from core.foundation.errors import ServiceError
from core.foundation.jobs import Job
from core.messaging import Channel, Status
from core.messaging.moves import RANK
from core.operations import QUEUES
from core.push.outcome_counts import COUNTED_AS
from tests.support.processes import ROOT

METRICS = ROOT / "docs" / "metrics.md"
OPERATIONS = ROOT / "docs" / "operations.md"
ALERTS = ROOT / "docker/prometheus/alerts.yml"
ROW = re.compile(r"^\| `(svc_\w+)` \| (\w+) \|([^|]*)\| ([^|]+) \| (.+) \|$", re.MULTILINE)
LABEL = re.compile(r"^\| `(\w+)`(?: of `svc_\w+`)? \| (.+) \|$", re.MULTILINE)
NAME = re.compile(r"\bsvc_\w+")
# In a process of its own: other tests declare families of theirs.
DECLARED = """
import json, rest_api.app, smpp_api.link.main, smpp_api.main, workers.main
from core.foundation.observability.metrics import FAMILIES
print(json.dumps({family.name: [family.kind, family.label_names] for family in FAMILIES.values()}))
"""


@cache
def declared() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Kind and labels of each metric that a process exports."""
    done = subprocess.run(
        [sys.executable, "-c", DECLARED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name: (kind, tuple(labels)) for name, (kind, labels) in json.loads(done.stdout).items()}


def names_in(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`(\w+)`", cell))


def family_of(name: str) -> str:
    """The metric that a sample belongs to: histograms have three samples each."""
    shorter = re.sub(r"_(bucket|sum|count)$", "", name)
    return shorter if shorter in declared() and declared()[shorter][0] == "histogram" else name


def labels() -> dict[str, tuple[str, ...]]:
    """Each label that the page explains, with what stands in code there."""
    _, _, section = METRICS.read_text().partition("\n## Labels\n")
    return {name: names_in(told) for name, told in LABEL.findall(section)}


def explained(label: str, metric: str) -> tuple[str, ...]:
    """The values that the page names for a label of a metric: its own row, else that of the label."""
    _, _, section = METRICS.read_text().partition("\n## Labels\n")
    for of in (f" of `{metric}`", ""):
        if found := re.search(rf"^\| `{label}`{of} \| (.+) \|$", section, re.MULTILINE):
            return names_in(found[1])
    return ()


def rules() -> list[dict[str, Any]]:
    """The alert rules."""
    return [
        rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]
    ]


def test_every_metric_has_its_row_and_every_row_its_metric() -> None:
    """A new metric needs a row in docs/metrics.md, with its kind and labels."""
    rows = [
        (name, kind, names_in(labels))
        for name, kind, labels, *_ in ROW.findall(METRICS.read_text())
    ]

    assert len({name for name, *_ in rows}) == len(rows)
    assert {name: (kind, labels) for name, kind, labels in rows} == declared()


def test_every_label_is_explained() -> None:
    assert set(labels()) == {label for _, labels in declared().values() for label in labels}


def test_queues_and_tasks_are_named_as_they_are_called() -> None:
    assert labels()["queue"] == tuple(queue.name for queue in QUEUES)
    assert sorted(labels()["task"]) == sorted(job.value for job in Job)


def test_channels_and_reports_are_named_as_they_are_counted() -> None:
    assert sorted(explained("channel", "svc_sends_total")) == sorted([*Channel, COUNTED_AS])
    reported = [status for status in Status if RANK[status] >= RANK[Status.SENT]]
    assert sorted(explained("status", "svc_receipts_total")) == sorted(reported)


def test_what_is_watched_exists() -> None:
    told = {family_of(name.rstrip("_")) for name in NAME.findall(OPERATIONS.read_text())}

    assert {name for name in told if name not in declared()} == set()


def test_alerts_have_a_time_a_weight_and_a_sentence() -> None:
    assert len(rules()) > 5
    for rule in rules():
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}, rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "runbook"}


def test_alerts_ask_for_labels_that_the_metric_has() -> None:
    for rule in rules():
        for name, matchers in re.findall(r"\b(svc_\w+)(?:\{([^}]*)\})?", rule["expr"]):
            known = set(declared()[family_of(name)][1]) | {"le"}
            assert set(re.findall(r'(\w+)\s*[=!]~?\s*"', matchers)) <= known, rule["alert"]
        own = {
            label for name in NAME.findall(rule["expr"]) for label in declared()[family_of(name)][1]
        }
        grouped = {
            label.strip()
            for group in re.findall(r"by \(([^)]*)\)", rule["expr"])
            for label in group.split(",")
        }
        assert grouped <= own | {"le", "instance", "job"}, rule["alert"]


OPEN = ("route", "status of svc_http_requests_total")
"""Labels with more values than a page can name."""


def test_alerts_ask_for_values_that_the_label_has() -> None:
    codes = {kind.code.lower() for kind in ServiceError.__subclasses__()} | {"internal"}
    for rule in rules():
        for metric, matchers in re.findall(r"\b(svc_\w+)\{([^}]*)\}", rule["expr"]):
            for label, values in re.findall(r'(\w+)\s*[=!]~?\s*"([^"]*)"', matchers):
                if label in OPEN or f"{label} of {metric}" in OPEN:
                    continue
                known = {*explained(label, family_of(metric))} | (
                    codes if metric == "svc_sends_total" else set()
                )
                assert set(values.split("|")) <= known, (rule["alert"], metric, label)


def test_each_alert_leads_to_a_section_of_the_page() -> None:
    headings = re.findall(r"^#+ (.+)$", OPERATIONS.read_text(), flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}

    assert {rule["annotations"]["runbook"].partition("#")[2] for rule in rules()} <= anchors
