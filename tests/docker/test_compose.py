"""The compose file: one command for the whole service on one machine, and nothing more open than it
must be.
"""

import re
import shutil
import subprocess
import sys
from copy import deepcopy
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # its stubs are a package of their own, for one call
import pytest

from core.foundation import settings
from core.foundation.settings import Settings
from tests.docker.composed import COMPOSE, EXAMPLE, ROOT, compose, example, ours, schema, services
from tests.docker.dockerfile import stages

SECRETS = {
    "POSTGRES_PASSWORD",
    "SVC_HASH_KEY",
    "SVC_ENCRYPTION_KEYS",
    "SVC_GATEWAY_SECRET",
    "SVC_META_ACCESS_TOKEN",
    "SVC_META_APP_SECRETS",
    "SVC_META_VERIFY_TOKEN",
    "SVC_METRICS_TOKEN",
    "SVC_PAYMENTS_SECRET",
    "SVC_SMTP_FEEDBACK_SECRET",
    "SVC_SMTP_PASSWORD",
}
OF_OTHERS = {"POSTGRES_PASSWORD", "POSTGRES_USER", "POSTGRES_DB"}
"""Variables of the image of PostgreSQL."""

KNOWN = {str(field.validation_alias) for field in Settings.model_fields.values()}


def _problems(document: dict[str, Any]) -> list[str]:
    return [error.message for error in jsonschema.Draft7Validator(schema()).iter_errors(document)]


def test_the_file_obeys_the_compose_specification() -> None:
    assert _problems(compose()) == []


def test_a_misspelt_option_would_be_noticed() -> None:
    wrong = deepcopy(compose())
    wrong["services"]["api"]["read_onyl"] = True

    assert len(_problems(wrong)) == 1


@pytest.mark.parametrize(
    "given", [[], ["--env-file", str(EXAMPLE)]], ids=["without .env", "with .env.example"]
)
def test_docker_compose_config_accepts_it(given: list[str]) -> None:
    if not shutil.which("docker") or _run("docker", "compose", "version").returncode:
        pytest.skip("docker compose is not installed")

    shown = _run("docker", "compose", *given, "-f", str(COMPOSE), "config", "--quiet")

    assert shown.returncode == 0, shown.stderr


def test_there_are_two_servers_the_schema_one_api_and_two_workers() -> None:
    commands = {name: service["command"][0] for name, service in ours().items()}

    assert commands == {"migrate": "migrate", "api": "api", "worker": "worker"}
    assert services().keys() - ours().keys() == {"postgres", "redis"}
    assert {name: service["deploy"].get("replicas", 1) for name, service in ours().items()} == {
        "migrate": 1,
        "api": 1,
        "worker": 2,
    }


@pytest.mark.parametrize("name", ["api", "worker"])
def test_nothing_of_ours_starts_before_its_schema_is_there(name: str) -> None:
    assert (
        services()[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    )
    assert services()["migrate"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert services()["migrate"]["restart"] == "no"


def test_only_the_api_is_published_and_only_to_this_machine() -> None:
    assert {
        name: service["ports"] for name, service in services().items() if "ports" in service
    } == {"api": ["127.0.0.1:8000:8000"]}


def test_the_servers_are_in_a_network_that_leads_nowhere() -> None:
    assert compose()["networks"]["inside"]["internal"] is True
    assert {name: services()[name]["networks"] for name in ("postgres", "redis", "migrate")} == {
        "postgres": ["inside"],
        "redis": ["inside"],
        "migrate": ["inside"],
    }


@pytest.mark.parametrize("name", ["postgres", "redis", "migrate", "api", "worker"])
def test_every_service_can_do_as_little_as_possible(name: str) -> None:
    service = services()[name]

    assert service["read_only"] is True
    assert any(place.startswith("/tmp") for place in service["tmpfs"])
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}
    assert "privileged" not in service


def test_capabilities_come_back_only_where_an_entry_point_steps_down_from_root() -> None:
    assert {name for name, service in services().items() if "cap_add" in service} == {"postgres"}


@pytest.mark.parametrize("name", ["api", "worker"])
def test_an_orderly_end_has_the_time_it_may_take(name: str) -> None:
    fields = Settings.model_fields
    seconds = int(services()[name]["stop_grace_period"].removesuffix("s"))

    assert seconds > fields["drain_notice_seconds"].default + fields["drain_seconds"].default


def test_every_variable_is_a_setting_that_exists() -> None:
    named = set(example()) | set(stages()[-1].environment) - {"PATH"}
    named = {name for name in named if not name.startswith("PYTHON")}
    for service in services().values():
        named |= set(service.get("environment", {}))
    named |= set(re.findall(r"\$\{(\w+)", COMPOSE.read_text()))

    assert named - OF_OTHERS <= KNOWN


def test_every_setting_that_is_required_is_given_or_asked_for() -> None:
    required = {
        str(field.validation_alias)
        for field in Settings.model_fields.values()
        if field.is_required()
    }

    for service in ours().values():
        assert required <= set(example()) | set(service["environment"])


def test_no_secret_is_committed() -> None:
    assert {name: value for name, value in example().items() if name in SECRETS and value} == {}
    assert "/.env" in (ROOT / "docker" / ".gitignore").read_text().splitlines()


def test_the_example_filled_in_is_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KNOWN:
        monkeypatch.delenv(name, raising=False)
    secrets = _as_the_comments_say()
    for name, value in {**example(), **secrets, **services()["api"]["environment"]}.items():
        monkeypatch.setenv(
            name, value.replace("${POSTGRES_PASSWORD:-}", secrets["POSTGRES_PASSWORD"])
        )

    assert settings.load().gateway_url is None
    assert len(secrets) == 3


def _as_the_comments_say() -> dict[str, str]:
    """Each secret whose comment has a command that makes one, made by it."""
    found = re.findall(r'^#   python3 -c "(.+)"\n(\w+)=$', EXAMPLE.read_text(), flags=re.MULTILINE)
    return {name: _run(sys.executable, "-c", code).stdout.strip() for code, name in found}


def _run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, capture_output=True, text=True, check=False)
