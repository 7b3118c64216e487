"""File storage: bytes in a folder or an S3 bucket, uploads, and the removal of orphans."""

from core.foundation.files.contents import READ, UNKNOWN, mime_type_of, opens_in_place
from core.foundation.files.errors import NoSuchBlob, StoreAway
from core.foundation.files.folder import ROUTE, FolderStore
from core.foundation.files.orphans import (
    OrphanedFile,
    adopt,
    announce,
    discard,
    discard_many,
    remove_due,
    remove_now,
)
from core.foundation.files.partial_uploads import PartialUpload
from core.foundation.files.shared import blob_store, close_blob_store
from core.foundation.files.store import BlobStore, Served
from core.foundation.files.upload import Upload, clean_file_name, read_file_name

__all__ = [
    "READ",
    "ROUTE",
    "UNKNOWN",
    "BlobStore",
    "FolderStore",
    "NoSuchBlob",
    "OrphanedFile",
    "PartialUpload",
    "Served",
    "StoreAway",
    "Upload",
    "adopt",
    "announce",
    "blob_store",
    "clean_file_name",
    "close_blob_store",
    "discard",
    "discard_many",
    "mime_type_of",
    "opens_in_place",
    "read_file_name",
    "remove_due",
    "remove_now",
]
