"""Accounts of SMPP, their binds, and what waits for them."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.read_models.smpp import SMPP_ACCOUNT, SMPP_BIND, SMPP_DELIVERY
from core.smpp import (
    AccountRoute,
    Charset,
    DeliveryStatus,
    LongReplies,
    ReceiptIds,
    SmppAccountRecord,
    SmppBindRecord,
    SmppDeliveryRecord,
    SmppWaiting,
    Throttle,
    WhichReceipts,
)
from core.sms import SmsRoute
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import ENV, enum_of
from graphql_api.inputs import register_enum
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of

if TYPE_CHECKING:
    from graphql_api.messages.schema import Message

ROUTE = enum_of(SmsRoute)
Waiting = type_of(SmppWaiting)
ROUTE_TEXT = "What messages without a service_type leave by"
ENV_TEXT = "The environment of the account"

register_enum(AccountRoute, ROUTE)
for closed in (Throttle, Charset, WhichReceipts, ReceiptIds, LongReplies):
    register_enum(closed, enum_of(closed))


@record_type(SmppAccountRecord)
class SmppAccount(Node):
    """What clients of SMPP bind with, without its password."""

    env: ENV = strawberry.field(description="The environment that it sends in")
    route: ROUTE = strawberry.field(description=ROUTE_TEXT)
    binds: list["SmppBind"] = relation_field(
        "binds", description="Those that are open now, newest first"
    )
    outbox: Waiting = strawberry.field(description="What waits for its clients")


@record_type(SmppBindRecord)
class SmppBind:
    """A bind that is open in one of our processes."""

    env: ENV = strawberry.field(description=ENV_TEXT)
    account: SmppAccount | None = relation_field("account", description="Whose bind it is")


@record_type(SmppDeliveryRecord)
class SmppDelivery:
    """A receipt or a reply that no client has taken yet."""

    env: ENV = strawberry.field(description=ENV_TEXT)
    account: SmppAccount | None = relation_field("account", description="Whom it waits for")
    message: Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None = (
        relation_field("message", description="The message that it tells of")
    )


@strawberry.input(description="Conditions that all hold.")
class SmppAccountFilter:
    env: ENV | None = strawberry.field(
        default=UNSET, description="Accounts of this environment only; of both unless told"
    )


@strawberry.input(description="Conditions that all hold.")
class SmppBindFilter:
    account_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Those of this account only"
    )


@strawberry.input(description="Conditions that all hold.")
class SmppDeliveryFilter:
    account_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Those for this account only"
    )
    status: enum_of(DeliveryStatus) | None = strawberry.field(
        default=UNSET, description="Those that are still tried, were given up, or have expired"
    )


@strawberry.type
class SmppQueries:
    smpp_account: SmppAccount | None = node_field(SMPP_ACCOUNT)
    smpp_accounts: Connection[SmppAccount] | None = connection_field(
        SMPP_ACCOUNT,
        filter=SmppAccountFilter,
        description="Accounts of both environments, newest first; in a session only",
    )
    smpp_binds: Connection[SmppBind] | None = connection_field(
        SMPP_BIND,
        filter=SmppBindFilter,
        description="Binds that are open now, newest first; in a session only",
    )
    smpp_outbox: Connection[SmppDelivery] | None = connection_field(
        SMPP_DELIVERY,
        filter=SmppDeliveryFilter,
        description="What no client has taken yet, newest first; in a session only",
    )
