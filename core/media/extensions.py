"""File name extensions by media type, for files without a name."""

_EXTENSIONS = {
    "application/pdf": "pdf",
    "application/zip": "zip",
    "audio/aac": "aac",
    "audio/amr": "amr",
    "audio/mp4": "m4a",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "image/gif": "gif",
    "image/heic": "heic",
    "image/heif": "heif",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "text/csv": "csv",
    "text/html": "html",
    "text/plain": "txt",
    "text/vcard": "vcf",
    "video/3gpp": "3gp",
    "video/mp4": "mp4",
    "video/quicktime": "mov",
    "video/webm": "webm",
}


def extension_of(mime_type: str) -> str:
    """Without the dot; `bin` for what has no usual one. Ours, since that of the system differs
    between machines.
    """
    return _EXTENSIONS.get(mime_type, "bin")
