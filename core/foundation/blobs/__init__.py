"""Files of customers: their bytes in a folder or an S3 bucket, and the promise that none is left
behind.
"""

from core.foundation.blobs.contents import READ, UNKNOWN, mime_type_of, opens_in_place
from core.foundation.blobs.drafts import Draft
from core.foundation.blobs.folder import ROUTE, FolderStore
from core.foundation.blobs.keeping import adopt, announce, discard, remove_due, remove_now
from core.foundation.blobs.shared import blob_store, close_blob_store
from core.foundation.blobs.store import BlobStore, NoSuchBlob, Served, StoreAway
from core.foundation.blobs.upload import Upload, clean_file_name, read_file_name

__all__ = [
    "READ",
    "ROUTE",
    "UNKNOWN",
    "BlobStore",
    "Draft",
    "FolderStore",
    "NoSuchBlob",
    "Served",
    "StoreAway",
    "Upload",
    "adopt",
    "announce",
    "blob_store",
    "clean_file_name",
    "close_blob_store",
    "discard",
    "mime_type_of",
    "opens_in_place",
    "read_file_name",
    "remove_due",
    "remove_now",
]
