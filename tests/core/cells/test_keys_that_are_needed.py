"""What `svc doctor` says of keys holds for every cell."""

import pytest

from cli import checks
from cli.failures import Failure
from core import cells
from core.cells import Cell
from core.foundation.database import db
from core.foundation.settings import current

SEALED = """
INSERT INTO push_apps (organization_id, env, app_id, credentials, created_at, updated_at)
VALUES ('org_1', 'live', 'shop', 'unknown.token', now(), now())
"""

HASHED = """
INSERT INTO contacts (id, organization_id, env, phone, identity, opt_in_status, created_at, updated_at)
VALUES ('ctc_1', 'org_1', 'live', '+5511987654321', '\\x00', 'unknown', now(), now())
"""


async def test_a_key_that_only_a_cell_needs_is_missed(south: Cell) -> None:
    with cells.use_cell(south):
        await db.execute(SEALED)
        await db.execute(HASHED)

    with pytest.raises(Failure, match="1 stored values need a key"):
        await checks.encryption(current())
    with pytest.raises(Failure, match="1 of 1 contacts"):
        await checks.hash_key(current())
