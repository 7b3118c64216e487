"""The store of this process: a bucket when one is set, else a folder."""

from core.foundation.files.folder import FolderStore
from core.foundation.files.store import BlobStore
from core.foundation.settings import current

_store: BlobStore | None = None


def blob_store() -> BlobStore:
    """The store that the settings name, opened at its first use."""
    global _store
    if _store is None:
        settings = current()
        if settings.s3_bucket is None:
            _store = FolderStore(
                settings.data_dir / "blobs", base_url=settings.base_url, secret=settings.hash_key
            )
        else:
            from core.foundation.files.bucket import S3Store  # noqa: PLC0415 its client takes a second to import

            _store = S3Store(
                settings.s3_bucket,
                endpoint=settings.s3_endpoint,
                region=settings.s3_region,
                drafts=settings.data_dir / "drafts",
            )
    return _store


async def close_blob_store() -> None:
    """Close what `blob_store` opened; whoever ends the process calls it once no request is under
    way.
    """
    global _store
    if _store is not None:
        await _store.close()
        _store = None
