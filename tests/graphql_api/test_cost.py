"""What an operation costs, what it may cost, and what is left."""

from dataclasses import replace
from typing import Any

import orjson
import pytest

from core.foundation.clock import now
from core.foundation.errors import RateLimited
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller, Limits
from graphql_api import answer, cost
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message

pytestmark = pytest.mark.usefixtures("clean_slate", "own_purses")


@pytest.fixture
def own_purses() -> Any:
    cost.forget_costs()
    rate_limit.use_buckets(rate_limit.LocalBuckets())
    yield
    cost.forget_costs()


async def answered(caller: Caller, query: str, **variables: Any) -> dict[str, Any]:
    return (await answer(caller, orjson.dumps({"query": query, "variables": variables}))).content


async def cost_of(caller: Caller, query: str, **variables: Any) -> dict[str, int]:
    spent: dict[str, int] = (await answered(caller, query, **variables))["extensions"]["cost"]
    return spent


PAGE = "contacts(first: %s) { nodes { id optIn { status } company { nome } messages(first: 5) { nodes { id } } } }"


@pytest.mark.parametrize(
    ("query", "requested"),
    [
        ("{ me { env } }", 1),
        ('{ contact(id: "cnt_1") { name optIn { status } } }', 1),
        ("{ contacts(first: 10) { totalCount } }", 1),
        ("{ contacts(first: 10) { nodes { id } } }", 10),
        ("{ contacts(last: 10) { edges { cursor node { id } } pageInfo { endCursor } } }", 10),
        (f"{{ {PAGE % 50} }}", 50 * (1 + 1 + 5)),
        (f"query {{ ...Everything }} fragment Everything on Query {{ {PAGE % 50} }}", 350),
        ("{ messages(first: 3) { nodes { ... on SmsMessage { contact { id } } } } }", 6),
        ("{ messageStats { totals { sent } } contactStats { totals { created } } }", 1_000),
        ("{ contacts(first: 10) { nodes { id @skip(if: true) } } }", 10),
    ],
)
async def test_a_point_for_every_record_that_may_be_answered(query: str, requested: int) -> None:
    assert (await cost_of(await a_caller("test"), query))["requested"] == requested


async def test_variables_decide_how_long_a_page_is() -> None:
    query = "query($n: Int) { contacts(first: $n) { nodes { id } } }"
    assert (await cost_of(await a_caller("test"), query, n=7))["requested"] == 7


async def test_what_was_not_read_is_given_back() -> None:
    caller = await a_caller("test")
    await a_contact(caller)
    spent = await cost_of(caller, "{ contacts(first: 100) { nodes { id } } }")
    assert (spent["requested"], spent["actual"]) == (100, 1)
    assert 100_000 - 100 < spent["available"] <= 100_000
    assert spent["restoreRate"] == 20_000


async def test_more_than_ten_thousand_nodes_are_refused_before_anything_runs() -> None:
    caller = await a_caller("test")
    query = "{ contacts(first: 100) { nodes { messages(first: 100) { nodes { id } } } } }"
    content = await answered(caller, query)
    (error,) = content["errors"]
    assert (content.get("data"), error["extensions"]["code"]) == (None, "VALIDATION_ERROR")
    assert "10,100 nodes" in error["extensions"]["errors"][0]["message"]


async def test_an_empty_bucket_refuses_with_the_seconds_to_wait() -> None:
    caller = replace(await a_caller("test"), limits=Limits(graphql_cost=1_000))
    await cost.take(caller, 900)
    with pytest.raises(RateLimited) as refusal:
        await answered(caller, f"{{ {PAGE % 50} }} ")
    assert refusal.value.retry_after == 2
    assert (await answered(caller, "{ me { env } }"))["data"] == {"me": {"env": "TEST"}}


async def test_an_operation_dearer_than_a_full_bucket_is_refused_for_good() -> None:
    caller = replace(await a_caller("test"), limits=Limits(graphql_cost=1_000))
    content = await answered(caller, f"{{ {PAGE % 100} }} ".replace("first: 5", "first: 10"))
    (error,) = content["errors"]
    assert (content.get("data"), error["extensions"]["code"]) == (None, "VALIDATION_ERROR")
    assert "never more than 1,000" in error["message"]


async def test_statistics_cost_the_same_wherever_they_are_asked_for() -> None:
    caller = await a_caller("test")
    for query in (
        "{ messageStats { totals { sent } } }",
        "{ ...Figures } fragment Figures on Query { messageStats { totals { sent } } }",
    ):
        spent = await cost_of(caller, query)
        assert (spent["requested"], spent["actual"]) == (500, 500)


async def test_entries_of_a_timeline_are_counted() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller)
    for _ in range(3):
        await stored_message(caller, now(), contact_id=contact["id"])
    spent = await cost_of(
        caller, "{ contacts(first: 1) { nodes { id timeline(first: 50) { nodes { id } } } } }"
    )
    assert (spent["requested"], spent["actual"]) == (51, 4)


async def test_log_ins_more_or_less_share_the_points_of_their_organization() -> None:
    caller = replace(await a_caller("test"), limits=Limits(graphql_cost=1_000))
    others = [replace(caller, credential_id=f"ses_{n}") for n in range(4)]
    await cost.take(others[0], 900)
    for other in others:
        with pytest.raises(RateLimited):
            await cost.take(other, 500)
    assert cost.settle_for(others[3], requested=0, actual=0)["available"] < 500

    await cost.take(replace(caller, credential_id="key_live", env="live"), 900)
    await cost.take(replace(caller, credential_id="key_other", organization_id="org_other"), 900)


async def test_one_credential_leaves_points_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("graphql_api.cost.time.monotonic", clock)
    greedy = replace(await a_caller("test"), limits=Limits(graphql_cost=1_000))
    modest = replace(greedy, credential_id="key_modest")
    taken = 0
    for _ in range(100):
        clock.seconds += 0.1
        taken += await all_that_is_there(greedy, 10)
    # A full bucket, and four fifths of what came back in ten seconds.
    assert 1_000 + 0.8 * 2_500 - 20 <= taken <= 1_000 + 0.8 * 2_500
    await cost.take(modest, 400)


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


async def all_that_is_there(caller: Caller, at_a_time: int) -> int:
    taken = 0
    while True:
        try:
            await cost.take(caller, at_a_time)
        except RateLimited:
            return taken
        taken += at_a_time


async def test_processes_share_a_bucket_once_they_settle() -> None:
    caller = replace(await a_caller("test"), limits=Limits(graphql_cost=1_000))
    await cost.take(caller, 900)
    with pytest.raises(RateLimited):  # settles with the shared bucket before it refuses
        await cost.take(caller, 200)
    cost.forget_costs()  # another process, which knows nothing yet
    await cost.take(caller, 500)
    with pytest.raises(RateLimited):
        await cost.take(caller, 600)
    spent = cost.settle_for(caller, requested=0, actual=0)
    assert spent["available"] < 100
