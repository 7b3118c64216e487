"""The shapes of contacts that shapes of other packages hold."""

from typing import TYPE_CHECKING

from pydantic import BaseModel

from core.contacts import ContactRecord, DocumentsRecord
from rest_api.support.record_shapes import model_of

if TYPE_CHECKING:  # mypy takes no type that is made as the program runs
    ContactOut = BaseModel
    Documents = BaseModel
else:
    ContactOut = model_of(ContactRecord)
    Documents = model_of(DocumentsRecord)
