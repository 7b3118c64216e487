"""`svc seed`: one record on standard output, progress on standard error, and nothing live by
accident.
"""

import inspect
import json

from cli.seed.command import seed
from cli.seed.parts import PARTS
from tests.support.processes import svc
from tests.support.service import Service


async def an_organization(service: Service) -> str:
    id: str = (await service.svc("org", "create", "Padaria"))["organizationId"]
    return id


async def messages_of(service: Service, org: str) -> int:
    books = await service.books()
    count: int = await books.fetchval(
        "SELECT count(*) FROM messages WHERE organization_id = $1", org
    )
    return count


def test_every_part_that_is_asked_for_has_an_option() -> None:
    asked_for = {part.name for part in PARTS if part.derived is None}
    assert asked_for <= inspect.signature(seed).parameters.keys()


async def test_the_record_is_one_object_and_the_rest_is_progress(service: Service) -> None:
    org = await an_organization(service)
    words = (
        "seed",
        "--org",
        org,
        "--env",
        "test",
        "--contacts",
        "40",
        "--messages",
        "100",
        "--as-of",
        "2025-07-01",
    )

    status, out, err = await svc([*words, "--json"], environment=service.environment)
    again = await service.svc(*words)

    assert status == 0, err
    record = json.loads(out)
    assert out.count("\n") == 1
    replies, *_ = (record.pop(name) for name in ("replies", "links", "listMembers", "journeyRuns"))
    assert record == {
        "organizationId": org,
        "env": "test",
        "seed": 1,
        "asOf": "2025-07-01T00:00:00.000Z",
        "days": 90,
        "contacts": 40,
        "lists": 8,
        "companies": 0,
        "messages": 100,
        "numbers": 2,
        "templates": 5,
        "conversations": 10,
        "events": 2,
        "pipelines": 0,
        "deals": 0,
        "segments": 8,
        "journeys": 2,
    }
    assert "contacts: 40 of 40\n" in err
    assert "messages: 100 of 100\n" in err
    assert (again["contacts"], again["messages"], again["replies"]) == (0, 0, 0)
    assert await messages_of(service, org) == 110 + replies


async def test_live_data_is_written_only_when_it_is_said_twice(service: Service) -> None:
    org = await an_organization(service)
    words = ["seed", "--org", org, "--env", "live", "--messages", "20", "--json"]

    status, out, err = await svc(words, environment=service.environment)

    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "--yes" in err
    assert await messages_of(service, org) == 0
    assert (await service.svc(*words[:-1], "--yes"))["messages"] == 20


async def test_what_is_wrong_is_said_and_changes_nothing(service: Service) -> None:
    org = await an_organization(service)
    owner = ("--org", org, "--env", "test")

    for words, expected in (
        (("--org", "org_of_nobody", "--env", "test", "--messages", "1"), 1),
        ((*owner, "--messages", "1", "--as-of", "2999-01-01"), 1),
        ((*owner, "--deals", "2000000"), 2),
        ((*owner, "--messages", "-1"), 2),
        ((*owner, "--messages", "1", "--as-of", "yesterday"), 2),
        ((*owner, "--messages", "1", "--seed", "0"), 2),
    ):
        status, out, err = await svc(["seed", *words, "--json"], environment=service.environment)
        assert (status, out) == (expected, ""), words
        assert expected == 2 or (err.startswith("svc: ") and err.count("\n") == 1)
    assert await messages_of(service, org) == 0


async def test_without_numbers_a_bit_of_everything_is_written(service: Service) -> None:
    org = await an_organization(service)

    record = await service.svc("seed", "--org", org, "--env", "test")

    assert {
        name: record[name]
        for name in ("contacts", "companies", "messages", "deals", "pipelines", "events")
    } == {
        "contacts": 1_000,
        "companies": 60,
        "messages": 10_000,
        "deals": 250,
        "pipelines": 3,
        "events": 250,
    }
