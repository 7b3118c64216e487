"""Random PDUs: every command that has a body here."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from smpp_api.wire.bodies import (
    Address,
    AlertNotification,
    AnyBody,
    Bind,
    CancelSm,
    DataSm,
    Named,
    Nothing,
    Outbind,
    QuerySm,
    QuerySmResp,
    ReplaceSm,
    ShortMessage,
)
from smpp_api.wire.commands import Command

NUMBERS = st.integers(0, 255)


def strings(longest: int) -> st.SearchStrategy[str]:
    """C strings, whatever bytes they have."""
    return st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=longest)


def addresses(longest: int) -> st.SearchStrategy[Address]:
    return st.builds(Address, strings(longest), NUMBERS, NUMBERS)


PARAMETERS = st.dictionaries(st.integers(0, 0xFFFF), st.binary(max_size=40), max_size=4)

SHORT_MESSAGES = st.builds(
    ShortMessage,
    addresses(20),
    addresses(20),
    st.binary(max_size=254),
    strings(5),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    strings(16),
    strings(16),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    PARAMETERS,
)
BINDS = st.builds(Bind, strings(15), strings(8), strings(12), NUMBERS, addresses(40))
NAMED = st.builds(Named, strings(64), PARAMETERS)
NOTHING: st.SearchStrategy[Any] = st.just(Nothing())

BODIES: dict[Command, st.SearchStrategy[Any]] = {
    Command.BIND_RECEIVER: BINDS,
    Command.BIND_TRANSMITTER: BINDS,
    Command.BIND_TRANSCEIVER: BINDS,
    Command.BIND_RECEIVER_RESP: NAMED,
    Command.BIND_TRANSMITTER_RESP: NAMED,
    Command.BIND_TRANSCEIVER_RESP: NAMED,
    Command.OUTBIND: st.builds(Outbind, strings(15), strings(8)),
    Command.UNBIND: NOTHING,
    Command.UNBIND_RESP: NOTHING,
    Command.ENQUIRE_LINK: NOTHING,
    Command.ENQUIRE_LINK_RESP: NOTHING,
    Command.GENERIC_NACK: NOTHING,
    Command.SUBMIT_SM: SHORT_MESSAGES,
    Command.SUBMIT_SM_RESP: NAMED,
    Command.DELIVER_SM: SHORT_MESSAGES,
    Command.DELIVER_SM_RESP: NAMED,
    Command.DATA_SM: st.builds(
        DataSm, addresses(64), addresses(64), strings(5), NUMBERS, NUMBERS, NUMBERS, PARAMETERS
    ),
    Command.DATA_SM_RESP: NAMED,
    Command.QUERY_SM: st.builds(QuerySm, strings(64), addresses(20)),
    Command.QUERY_SM_RESP: st.builds(QuerySmResp, strings(64), strings(16), NUMBERS, NUMBERS),
    Command.CANCEL_SM: st.builds(CancelSm, strings(64), addresses(20), addresses(20), strings(5)),
    Command.CANCEL_SM_RESP: NOTHING,
    Command.REPLACE_SM: st.builds(
        ReplaceSm,
        strings(64),
        addresses(20),
        strings(16),
        strings(16),
        NUMBERS,
        NUMBERS,
        st.binary(max_size=254),
    ),
    Command.REPLACE_SM_RESP: NOTHING,
    Command.ALERT_NOTIFICATION: st.builds(
        AlertNotification, addresses(64), addresses(64), PARAMETERS
    ),
}

PDUS: st.SearchStrategy[tuple[Command, AnyBody]] = st.sampled_from(sorted(BODIES)).flatmap(
    lambda command: st.tuples(st.just(command), BODIES[command])
)

Make = Callable[..., Any]
