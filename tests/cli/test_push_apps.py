"""`svc push-app` and `svc quiet-hours`: the same use cases and the same record as over REST."""

import json
from pathlib import Path

from tests.support.processes import svc
from tests.support.service import Service


async def test_an_app_is_registered_and_listed(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    where = ("--org", org, "--env", "live")

    made = await service.svc(
        "push-app", "create", "loja", *where, "--web-contact", "mailto:push@example.com"
    )

    assert made["providers"] == ["vapid"]
    assert (await service.svc("push-app", "list", *where))["items"] == [made]


async def test_a_file_that_is_no_service_account_is_said_in_one_line(
    service: Service, tmp_path: Path
) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    file = tmp_path / "account.json"
    file.write_text(json.dumps({"project_id": "p"}))
    words = [
        "push-app",
        "create",
        "loja",
        "--org",
        org,
        "--env",
        "live",
        "--fcm-file",
        str(file),
        "--json",
    ]

    status, out, err = await svc(words, environment=service.environment)

    assert status == 2
    assert out == ""
    assert "service account" in err
    assert (await service.svc("push-app", "list", "--org", org, "--env", "live"))["items"] == []


async def test_quiet_hours_are_set_and_cleared(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    where = ("--org", org, "--env", "test")
    window = ("--start", "22:00", "--end", "08:00", "--timezone", "America/Sao_Paulo")

    stored = await service.svc("quiet-hours", "set", *where, *window)
    cleared = await service.svc("quiet-hours", "clear", *where)

    assert stored == {
        "janelaSilencio": {"inicio": "22:00", "fim": "08:00", "fuso": "America/Sao_Paulo"},
        "excecoes": ["silent"],
    }
    assert cleared == {"janelaSilencio": None, "excecoes": []}
