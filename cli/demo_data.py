"""The demo organization of `svc dev`: made on the first start, kept in `demo.json`."""

from pathlib import Path

from cli.demo_file import read_demo, write_demo
from cli.session import database

OWNER = "owner@demo.test"
PHONE = "+5511940028922"


async def ensure_demo(folder: Path) -> None:
    """Make the organization with its owner and keys, unless the folder remembers one that the
    database still has.
    """
    from core import numbers, operations, organizations
    from core.foundation.ids import random_base62
    from core.foundation.security.caller import KEY_SCOPES, system_caller

    async with database():
        demo = read_demo(folder)
        if demo and await organizations.Organization.exists(id=demo["organizationId"]):
            return
        log_in = organizations.LogIn(email=OWNER, password=random_base62(20))
        organization, owner = await operations.open_organization("Demo", log_in)
        keys = {
            env: await organizations.issue_key(
                system_caller(organization.id, env),
                organizations.NewKey(name=f"demo {env}", env=env, scopes=list(KEY_SCOPES)),
            )
            for env in ("test", "live")
        }
        number = await numbers.create_number(
            system_caller(organization.id, "test"), numbers.NewNumber(phone=PHONE, name="Demo")
        )
        write_demo(
            folder,
            {
                "organizationId": organization.id,
                "accountId": owner.id,
                "owner": {"email": log_in.email, "password": log_in.password},
                "numberId": number["id"],
                **{env: {"id": key["id"], "key": key["key"]} for env, key in keys.items()},
            },
        )
