"""`svc smpp-account`: the password is shown once."""

from tests.support.service import Service

LIVE = ("--ip", "203.0.113.0/24", "--window", "100")


async def test_an_account_is_opened_listed_rotated_and_revoked(service: Service) -> None:
    org = service._known.organization_id

    opened = await service.svc(
        "smpp-account", "create", "kannel", "--org", org, "--env", "live", *LIVE
    )
    rotated = await service.svc("smpp-account", "rotate", opened["id"], "--overlap-hours", "0")
    revoked = await service.svc("smpp-account", "revoke", opened["id"])
    (listed,) = (await service.svc("smpp-account", "list", "--org", org))["items"]

    assert (opened["systemId"], opened["window"]) == ("kannel", 100)
    assert len({opened["password"], rotated["password"]}) == 2
    assert listed == revoked
    assert "password" not in listed
