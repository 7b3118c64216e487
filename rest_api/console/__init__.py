"""Sessions of browsers: a cookie that no script reads, and a token that no other page has."""

from rest_api.console.session import routes

__all__ = ["routes"]
