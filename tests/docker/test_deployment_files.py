"""The files that operators start from: alert rules, dashboard, systemd units, Helm chart. Each is
read by a parser.
"""

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import promql_parser
import pytest

from cli.app import app
from core.foundation.settings import Settings
from tests.docker.helm_chart import CHART, at, chart_values, rendered, used_paths
from tests.house.test_metrics_page import declared, family_of, rules
from tests.support.processes import ROOT

UNITS = sorted((ROOT / "docker/systemd").iterdir())
DASHBOARD = ROOT / "docker/grafana/dashboard.json"
SETTINGS = {str(field.validation_alias) for field in Settings.model_fields.values()}
NOT_OURS = {"le", "instance", "job"}
"""Labels that Prometheus adds."""


def panels() -> list[dict[str, Any]]:
    return [
        panel for panel in json.loads(DASHBOARD.read_text())["panels"] if panel["type"] != "row"
    ]


def expressions() -> list[str]:
    """What rules and panels ask Prometheus; a variable of the dashboard stands for a word."""
    asked = [
        target["expr"].replace("$env", "live") for panel in panels() for target in panel["targets"]
    ]
    return [rule["expr"] for rule in rules()] + asked


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_is_one_of_prometheus_and_asks_for_what_is_there(expression: str) -> None:
    promql_parser.parse(expression)

    names = re.findall(r"\bsvc_\w+", expression)
    if not names:
        assert "up{" in expression, "the one metric that Prometheus makes of a target itself"
        return
    own = {label for name in names for label in declared()[family_of(name)][1]}
    asked = set(re.findall(r'(\w+)\s*[=!]~?\s*"', expression))
    grouped = {
        label.strip()
        for group in re.findall(r"by \(([^)]*)\)", expression)
        for label in group.split(",")
    }
    assert asked | grouped <= own | NOT_OURS


def test_a_misspelt_expression_is_refused() -> None:
    with pytest.raises(ValueError, match="unexpected"):
        promql_parser.parse("sum by (channel) rate(svc_sends_total[5m)")


def test_a_silent_channel_is_not_hidden_by_the_others() -> None:
    for alert in ("SvcNothingDelivered", "SvcLiveSendsFail", "SvcDeliverySlow"):
        (rule,) = [rule for rule in rules() if rule["alert"] == alert]
        assert re.search(r"by \((le, )?channel\)", rule["expr"]), alert


def test_panels_have_names_and_words_of_their_own() -> None:
    titles = [panel["title"] for panel in panels()]

    assert len(set(titles)) == len(titles) > 12
    assert all(panel["description"] for panel in panels())


# systemd


class Unit(configparser.ConfigParser):
    """A unit file: options may repeat, and their case counts."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, interpolation=None)
        self.read(path)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_exists_and_has_time_to_stop(path: Path) -> None:
    unit = Unit(path)
    program, command, *options = unit["Service"]["ExecStart"].split()

    assert program == "/opt/svc/bin/svc"
    known = {info.name for info in app.registered_commands}
    assert command in known
    told = subprocess.run(
        [ROOT / ".venv/bin/svc", command, "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert all(option in told for option in options if option.startswith("--"))
    assert unit["Service"]["User"] == "svc"
    assert unit["Service"]["NoNewPrivileges"] == "yes"
    if command != "migrate":
        patience = (
            Settings.model_fields["drain_notice_seconds"].default
            + Settings.model_fields["drain_seconds"].default
        )
        assert int(unit["Service"]["TimeoutStopSec"]) > patience
        assert "svc-migrate.service" in unit["Unit"]["Requires"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_reads_the_units(tmp_path: Path) -> None:
    """With programs that exist: it looks for them."""
    for path in UNITS:
        text = path.read_text().replace("/opt/svc/bin/svc", "/bin/true")
        (tmp_path / path.name).write_text(text)

    for path in UNITS:
        done = subprocess.run(
            [
                "systemd-analyze",
                "verify",
                "--man=no",
                "--recursive-errors=no",
                tmp_path / path.name,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
        assert complaints == []


# Helm


def test_every_value_is_used_and_every_used_one_is_there() -> None:
    values = chart_values()
    for path in used_paths():
        at(values, path)

    tops = {path.split(".")[0] for path in used_paths()}
    assert tops == set(values)


def test_the_chart_runs_what_the_image_runs() -> None:
    objects = rendered(chart_values())

    assert set(objects) == {
        "Job migrate",
        "Deployment api",
        "Deployment worker",
        "Service",
        "ConfigMap",
    }
    for name in ("Job migrate", "Deployment api", "Deployment worker"):
        spec = objects[name]["spec"]["template"]["spec"]
        (container,) = spec["containers"]
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["args"][0] == name.split()[1]
        assert container["image"] == "svc-messaging:local"
    assert set(objects["ConfigMap"]["data"]) <= SETTINGS
    assert all(isinstance(value, str) for value in objects["ConfigMap"]["data"].values())


def test_a_pod_of_the_chart_is_asked_for_its_health_and_may_finish() -> None:
    objects = rendered(chart_values())
    api = objects["Deployment api"]["spec"]["template"]["spec"]
    selector = objects["Service"]["spec"]["selector"]

    assert api["containers"][0]["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert (
        selector.items()
        <= objects["Deployment api"]["spec"]["template"]["metadata"]["labels"].items()
    )
    notice = int(objects["ConfigMap"]["data"]["SVC_DRAIN_NOTICE_SECONDS"])
    assert (
        api["terminationGracePeriodSeconds"]
        > notice + Settings.model_fields["drain_seconds"].default
    )


@pytest.mark.skipif(shutil.which("helm") is None, reason="no helm here")
def test_helm_reads_the_chart() -> None:
    subprocess.run(["helm", "lint", "--strict", CHART], check=True)
    subprocess.run(["helm", "template", "svc", CHART], check=True, stdout=subprocess.DEVNULL)
