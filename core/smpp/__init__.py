"""Accounts of SMPP: what clients bind with, and what holds for their messages."""

from core.smpp.accounts import create_account, list_accounts, owner_of_account, revoke_account
from core.smpp.binds import Mode, close_bind, keep_binds, list_binds, open_bind
from core.smpp.deliveries import Ended
from core.smpp.errors import BindRefused, NoSuchSmppAccount, SystemIdTaken
from core.smpp.inputs import NewSmppAccount, SmppPasswordRotation
from core.smpp.models import Charset, SmppAccount, Throttle
from core.smpp.parts import (
    Part,
    TakenPart,
    forget_parts,
    message_of_part,
    note_sent,
    take_part,
)
from core.smpp.receipts import (
    RECEIPTS_BESIDE,
    DueReceipt,
    SentBySmpp,
    WantedReceipt,
    claim_receipts,
    forget_receipts,
    note_ends,
    receipts_beside,
    settle_receipts,
    take_back_receipts,
)
from core.smpp.replies import (
    DueReply,
    ReplyToSmpp,
    claim_replies,
    forget_replies,
    keep_replies,
    settle_replies,
)
from core.smpp.rotate import rotate_password
from core.smpp.sign_in import SmppClient, clients_of, sign_in

__all__ = [
    "RECEIPTS_BESIDE",
    "BindRefused",
    "Charset",
    "DueReceipt",
    "DueReply",
    "Ended",
    "Mode",
    "NewSmppAccount",
    "NoSuchSmppAccount",
    "Part",
    "ReplyToSmpp",
    "SentBySmpp",
    "SmppAccount",
    "SmppClient",
    "SmppPasswordRotation",
    "SystemIdTaken",
    "TakenPart",
    "Throttle",
    "WantedReceipt",
    "claim_receipts",
    "claim_replies",
    "clients_of",
    "close_bind",
    "create_account",
    "forget_parts",
    "forget_receipts",
    "forget_replies",
    "keep_binds",
    "keep_replies",
    "list_accounts",
    "list_binds",
    "message_of_part",
    "note_ends",
    "note_sent",
    "open_bind",
    "owner_of_account",
    "receipts_beside",
    "revoke_account",
    "rotate_password",
    "settle_receipts",
    "settle_replies",
    "sign_in",
    "take_back_receipts",
    "take_part",
]
