"""The API reference as a page: every file of it is ours to serve, and it asks nobody else for
anything.
"""

from rest_api.docs.page import routes

__all__ = ["routes"]
