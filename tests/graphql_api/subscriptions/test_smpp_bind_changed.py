"""Binds of SMPP, told as they open and end."""

import pytest
from gql.transport.exceptions import TransportQueryError

from core import smpp
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.smpp import SmppClient
from core.smpp.binds import LEASE
from tests.factories.accounts import a_log_in, a_person, an_account
from tests.factories.organizations import a_key
from tests.factories.smpp import an_smpp_account
from tests.graphql_api.subscriptions.conftest import Serving

CHANGED = """subscription($account: ID) { smppBindChanged(accountId: $account) {
  id isOpen bind { mode account { id } } } }"""


async def a_client(owner: Caller) -> SmppClient:
    account = await an_smpp_account(owner, env="live", ips=["127.0.0.1"])
    return (await smpp.clients_of([account["id"]]))[account["id"]]


async def test_a_bind_is_told_when_it_opens_and_when_it_ends(server: Serving) -> None:
    account = await an_account()
    token = (await a_log_in(account["email"], env="test"))["token"]
    owner = await a_person(account["organizationId"])
    client, other = await a_client(owner), await a_client(owner)
    told = await server.subscribe(token, CHANGED, account=client.account.id)

    await smpp.open_bind(other, "receiver", peer="127.0.0.1", process="prc_1")
    id = await smpp.open_bind(client, "transceiver", peer="127.0.0.1", process="prc_1")
    assert id is not None
    bind = {"mode": "TRANSCEIVER", "account": {"id": client.account.id}}
    assert await told.next() == {"smppBindChanged": {"id": id, "isOpen": True, "bind": bind}}
    await smpp.close_bind(id)
    assert await told.next() == {"smppBindChanged": {"id": id, "isOpen": False, "bind": None}}

    lapsed = await smpp.open_bind(client, "receiver", peer="127.0.0.1", process="prc_2")
    assert (await told.next())["smppBindChanged"]["isOpen"]
    await smpp.keep_binds("prc_1", [], at=now() + 2 * LEASE)
    assert await told.next() == {"smppBindChanged": {"id": lapsed, "isOpen": False, "bind": None}}


async def test_a_key_is_told_nothing(server: Serving) -> None:
    key = await a_key("test")

    with pytest.raises(TransportQueryError) as refusal:
        await (await server.subscribe(key, CHANGED)).next()
    assert refusal.value.errors is not None
    assert refusal.value.errors[0]["extensions"]["code"] == "FORBIDDEN"
