"""The shapes of SMS that shapes of other packages hold."""

from typing import TYPE_CHECKING

from pydantic import BaseModel

from core import messaging, sms
from rest_api.support.record_shapes import model_of

if TYPE_CHECKING:  # mypy takes no type that is made as the program runs
    Billing = BaseModel
    MessageOrigin = BaseModel
    ProviderReceipt = BaseModel
else:
    Billing = model_of(messaging.Billing)
    MessageOrigin = model_of(messaging.MessageOrigin)
    ProviderReceipt = model_of(sms.ProviderReceipt)
