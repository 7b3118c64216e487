"""Makes customers in the database of the environment, with the people that the pages speak of: `households.py COUNT`.

Writes one JSON list of `{organization, key, account}`.
"""

import asyncio
import json
import sys
from dataclasses import asdict

from cli.inputs import given
from core import onboarding, organizations
from core.foundation import db, settings
from core.foundation.caller import system_caller
from tests.docs.reader import OWNERS, Household
from tests.docs.shell import PASSWORD


async def make(count: int) -> list[Household]:
    await db.open_database(settings.current())
    try:
        made = [await _household() for _ in range(count)]
        # One hash for all: each is slow to make, as it should be.
        digest = await organizations.hash_password(PASSWORD)
        await db.execute("UPDATE accounts SET password_hash = $1 WHERE email = ANY ($2)", digest, list(OWNERS))
        return made
    finally:
        await db.close_database()


async def _household() -> Household:
    organization, _ = await onboarding.open_organization("A customer", None)
    id = organization.id
    accounts = [
        await organizations.create_account(
            id,
            given(organizations.NewAccount, email=email, name="Owner", status="active", role="owner"),
        )
        for email in OWNERS
    ]
    scopes = sorted(organizations.scopes_named("all"))
    key = await organizations.issue_key(
        system_caller(id, "test"), given(organizations.NewKey, nome="reader", env="test", scopes=scopes)
    )
    return Household(id, key["key"], accounts[-1]["id"])


if __name__ == "__main__":
    sys.stdout.write(json.dumps([asdict(one) for one in asyncio.run(make(int(sys.argv[1])))]))
