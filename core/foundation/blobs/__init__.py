"""Files of customers: their bytes in a folder or an S3 bucket, and the promise that none is left behind."""

from core.foundation.blobs.contents import mime_type_of, opens_in_place
from core.foundation.blobs.keeping import adopt, announce, discard, remove_due
from core.foundation.blobs.shared import blob_store, close_blob_store
from core.foundation.blobs.store import BlobStore, Served, StoreAway

__all__ = [
    "BlobStore",
    "Served",
    "StoreAway",
    "adopt",
    "announce",
    "blob_store",
    "close_blob_store",
    "discard",
    "mime_type_of",
    "opens_in_place",
    "remove_due",
]
