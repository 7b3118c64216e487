"""The OpenAPI 3.1 document, made from the operation list; nothing in it is written twice."""

from rest_api.openapi.document import document
from rest_api.openapi.publish import route_for

__all__ = ["document", "route_for"]
