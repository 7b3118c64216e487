"""`svc number` and `svc instagram`: the same use cases as elsewhere, and access tokens that nobody
sees.
"""

from tests.support.processes import svc
from tests.support.service import Service

PHONE = ("--phone", "+55 11 98765-4321")


async def test_a_sandbox_number_is_made_listed_and_shown(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    where = ("--org", org, "--env", "test")

    made = await service.svc("number", "create", *where, *PHONE, "--name", "Padaria")
    listed = await service.svc("number", "list", *where)
    shown = await service.svc("number", "show", made["numberId"], *where)

    assert made["status"] == "connected"
    assert [one["id"] for one in listed["items"]] == [made["numberId"]]
    assert (shown["displayPhone"], shown["health"]["fonte"]) == ("+5511987654321", "ao_vivo")


async def test_a_live_number_waits_for_its_place_on_the_platform(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    made = await service.svc("number", "create", "--org", org, "--env", "live", *PHONE)
    assert made["status"] == "pending"

    words = [
        "number",
        "connect",
        made["numberId"],
        "--org",
        org,
        "--phone-number-id",
        "1",
        "--waba-id",
        "2",
    ]
    status, _, err = await svc(
        [*words, "--token", "EAAG", "--json"], environment=service.environment
    )

    assert status == 2
    assert "standard input" in err
    assert await service.svc(*words) == made
    shown = await service.svc("number", "show", made["numberId"], "--org", org, "--env", "live")
    assert (shown["phoneNumberId"], shown["wabaId"], shown["health"]["fonte"]) == (
        "1",
        "2",
        "cache",
    )


async def test_a_place_on_the_platform_is_for_live_numbers_and_whole(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    words = ["number", "create", "--org", org, *PHONE, "--phone-number-id", "1", "--json"]
    for more in (["--env", "test", "--waba-id", "2"], ["--env", "live"]):
        status, out, _ = await svc([*words, *more], environment=service.environment)
        assert (status, out) == (2, "")
        assert (await service.svc("number", "list", "--org", org, "--env", more[1]))["items"] == []


async def test_an_instagram_account_is_made_and_listed(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    where = ("--org", org, "--env", "live")

    made = await service.svc(
        "instagram", "create", *where, "--username", "padaria", "--instagram-id", "17841400"
    )

    (listed,) = (await service.svc("instagram", "list", *where))["items"]
    assert (listed["id"], listed["instagramId"], listed["username"]) == (
        made["instagramAccountId"],
        "17841400",
        "padaria",
    )
