"""Files that the folder store keeps, for whoever has an address that it signed."""

from rest_api.blobs.serve import routes

__all__ = ["routes"]
