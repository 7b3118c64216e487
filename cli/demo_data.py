"""The demo organization of `svc dev`: made on the first start, kept in `demo.json`."""

from pathlib import Path

from cli.demo_file import read_demo, write_demo
from cli.session import database


async def ensure_demo(folder: Path) -> None:
    """Make the organization and its two keys, unless the folder remembers one that the database still has."""
    from core import onboarding, organizations
    from core.foundation.caller import KEY_SCOPES

    async with database():
        demo = read_demo(folder)
        if demo and await organizations.Organization.exists(id=demo["organizationId"]):
            return
        organization, owner = await onboarding.open_organization("Demo")
        keys = {
            env: await organizations.issue_key(organization.id, env, name=f"demo {env}", scopes=KEY_SCOPES)
            for env in ("test", "live")
        }
        write_demo(
            folder,
            {
                "organizationId": organization.id,
                "accountId": owner.id,
                **{env: {"id": key.id, "key": key.key} for env, key in keys.items()},
            },
        )
