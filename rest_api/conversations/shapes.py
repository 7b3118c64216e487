"""The shapes of conversations that shapes of other packages hold."""

from typing import TYPE_CHECKING

from pydantic import BaseModel

from core import conversations
from rest_api.support.record_shapes import model_of

if TYPE_CHECKING:  # mypy takes no type that is made as the program runs
    LinkOrigin = BaseModel
else:
    LinkOrigin = model_of(conversations.LinkOrigin)
