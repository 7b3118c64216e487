"""`GET /`: where to go from the base URL, as a page for browsers and as JSON for programs."""

from rest_api.home.page import routes

__all__ = ["routes"]
