"""Media: files of messages, uploaded, sent, received and served."""

from core.media.erase import forget_media_of
from core.media.errors import EmptyFile, MediaNotUsable, PlatformFailed, UploadsBusy, UploadStalled
from core.media.expire import expire_files
from core.media.expire_unused import expire_unused
from core.media.find import told_of_file
from core.media.inputs import MediaQuery, NewMedia
from core.media.models import MediaFile, MediaKind
from core.media.open import FileContent, FileRedirect, address_of_copy, opened_media
from core.media.receive import CHUNK_TIMEOUT, MAX_BYTES, MIN_BYTES_PER_SECOND, IncomingFile
from core.media.record import MediaRecord, StoredCopy, media_record, stored_copy
from core.media.store_inbound import store_inbound
from core.media.tickets import (
    MediaTicket,
    MediaTicketRecord,
    NewMediaTicket,
    issue_media_ticket,
    read_media_ticket,
)
from core.media.upload import UPLOAD_TTL, upload_media
from core.media.use import (
    file_of_message,
    files_for_sending,
    keep_files,
    lock_files,
    platform_id_of,
)

__all__ = [
    "CHUNK_TIMEOUT",
    "MAX_BYTES",
    "MIN_BYTES_PER_SECOND",
    "UPLOAD_TTL",
    "EmptyFile",
    "FileContent",
    "FileRedirect",
    "IncomingFile",
    "MediaFile",
    "MediaKind",
    "MediaNotUsable",
    "MediaQuery",
    "MediaRecord",
    "MediaTicket",
    "MediaTicketRecord",
    "NewMedia",
    "NewMediaTicket",
    "PlatformFailed",
    "StoredCopy",
    "UploadStalled",
    "UploadsBusy",
    "address_of_copy",
    "expire_files",
    "expire_unused",
    "file_of_message",
    "files_for_sending",
    "forget_media_of",
    "issue_media_ticket",
    "keep_files",
    "lock_files",
    "media_record",
    "opened_media",
    "platform_id_of",
    "read_media_ticket",
    "store_inbound",
    "stored_copy",
    "told_of_file",
    "upload_media",
]
