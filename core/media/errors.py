"""Errors of media."""

from core.foundation.errors import (
    BadRequest,
    DependencyFailed,
    FieldError,
    ServiceUnavailable,
    ValidationFailed,
)
from core.providers.platform import UpstreamError


class PlatformFailed(DependencyFailed):
    default_detail = (
        "The messaging platform failed to take or to give the file; nothing was "
        "stored. Try again later."
    )

    def __init__(self, failure: UpstreamError | None = None) -> None:
        super().__init__(meta={"upstreamCode": failure.code} if failure else None)


class MediaNotUsable(ValidationFailed):
    """`pointer`: where the message names the file."""

    default_detail = (
        "The message names a file that is unknown, expired or of another number; upload it again."
    )

    def __init__(self, pointer: str = "/payload/media/id") -> None:
        told = "This is no file of the number; a file can be used for 30 days"
        super().__init__(errors=[FieldError("pointer", pointer, "not_found", told)])


class EmptyFile(ValidationFailed):
    default_detail = "The file is empty; send its bytes."

    def __init__(self, pointer: str) -> None:
        super().__init__(
            errors=[FieldError("pointer", pointer, "required", "Send the bytes of the file")]
        )


class UploadStalled(BadRequest):
    default_detail = "The body stopped arriving or took too long; send the file again."


class UploadsBusy(ServiceUnavailable):
    default_detail = "Too many files are arriving at this moment; send it again in a few seconds."

    def __init__(self) -> None:
        super().__init__(retry_after=5)
