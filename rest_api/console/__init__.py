"""The console: its page, the session of the browser that opens it, and the operations that it asks."""

from rest_api.console.page import documents
from rest_api.console.page import routes as page_routes
from rest_api.console.session import routes as session_routes

routes = [*session_routes, *page_routes]

__all__ = ["documents", "routes"]
