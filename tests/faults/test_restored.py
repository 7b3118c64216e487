"""A database restored on another server: whoever starts first, the feed goes on behind its old places."""

from collections.abc import Awaitable, Callable

import pytest

from tests.support.processes import Process
from tests.support.service import Service

STARTED_BY: dict[str, Callable[[Service], Awaitable[Process]]] = {
    "api": lambda service: service.api(),
    "worker": lambda service: service.worker(),
}


@pytest.mark.parametrize("process", STARTED_BY)
async def test_every_process_puts_the_feed_in_order_when_it_starts(service: Service, process: str) -> None:
    books = await service.books()
    await books.execute(
        """
        INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at, xact, seq)
        VALUES ('evt_old', 'org_1', 'test', 'sms.delivered', '{}', now(), now(), 1000000000, 1)
        """
    )

    started = await STARTED_BY[process](service)

    assert [line["base"] for line in started.logged("webhook_feed_base_raised")] == [1 << 40]
    assert await books.fetchval("SELECT last_value FROM webhook_feed_base") == 1 << 40
