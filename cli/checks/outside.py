"""Checks of servers that the settings name: bucket and mail relay, asked and never written to."""

import asyncio
import ssl
from typing import TYPE_CHECKING

from cli.checks.check_result import Warned
from cli.failures import Failure

if TYPE_CHECKING:
    from core.foundation.settings import Settings

SECONDS = 5.0
"""For an answer; who waits for `svc doctor` should not wait for each of them much longer."""


async def bucket(settings: "Settings") -> str:
    """Does the bucket of the settings let us look for a file?"""
    from core.foundation.files.bucket import S3Store

    assert settings.s3_bucket is not None
    store = S3Store(
        settings.s3_bucket, endpoint=settings.s3_endpoint, region=settings.s3_region, attempts=1
    )
    try:
        async with asyncio.timeout(SECONDS):
            said = await store.look()
    except TimeoutError:
        raise Failure(
            f"the bucket of SVC_MEDIA_STORE gives no answer within {SECONDS:.0f} s: {CHECK_ADDRESS}"
        ) from None
    finally:
        await store.close()
    return _bucket_line(said)


CHECK_ADDRESS = "check SVC_S3_ENDPOINT, SVC_S3_REGION and the network"


def _bucket_line(said: str) -> str:
    match said:
        case "NoSuchKey":
            return "the bucket of SVC_MEDIA_STORE answers"
        case "NoSuchBucket":
            raise Failure(
                "there is no such bucket: make it, or check SVC_MEDIA_STORE, SVC_S3_ENDPOINT and "
                "SVC_S3_REGION"
            )
        case "AccessDenied":
            # Who may read files but not list them hears the same of a file that is not there.
            return Warned(
                "the bucket of SVC_MEDIA_STORE answers and denies what was asked: the "
                "credentials need s3:GetObject, "
                "s3:PutObject, s3:DeleteObject, and s3:ListBucket for this check to tell"
            )
        case (
            "NoCredentialsError"
            | "PartialCredentialsError"
            | "InvalidAccessKeyId"
            | "SignatureDoesNotMatch"
        ):
            raise Failure(
                f"no credentials that the bucket takes ({said}): set those of the AWS tools"
            )
    raise Failure(
        f"the bucket of SVC_MEDIA_STORE gives no usable answer ({said or 'no bucket'}): "
        f"{CHECK_ADDRESS}"
    )


async def mail(settings: "Settings") -> str:
    """Does the relay of live e-mail take us in?"""
    if settings.smtp_url is None:
        return "no relay is set, so live e-mail answers 503 (SVC_SMTP_URL); the sandbox needs none"
    from aiosmtplib import SMTPAuthenticationError, SMTPException, SMTPResponseException

    from core.providers import smtp

    try:
        async with asyncio.timeout(SECONDS):
            await smtp.greet(settings, seconds=SECONDS)
    # Never the texts of these: relays repeat names and addresses in them.
    except TimeoutError:
        raise Failure(
            f"the relay gives no answer within {SECONDS:.0f} s: check SVC_SMTP_URL and the network"
        ) from None
    except SMTPAuthenticationError as refusal:
        raise Failure(
            f"the relay refuses the log-in ({refusal.code}): check SVC_SMTP_USER and "
            f"SVC_SMTP_PASSWORD"
        ) from None
    except SMTPResponseException as refusal:
        raise Failure(f"the relay refuses the session ({refusal.code}): ask who runs it") from None
    except (SMTPException, OSError) as error:
        raise Failure(_unreached(error)) from None
    return "the relay takes us in" + (" and accepts the log-in" if settings.smtp_user else "")


def _unreached(error: Exception) -> str:
    causes: list[BaseException] = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:
        causes.append(cause)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return (
            "the relay's certificate is not one that we trust: name its issuer in SVC_SMTP_CA_FILE"
        )
    return (
        f"no session with the relay ({type(error).__name__}): check SVC_SMTP_URL, "
        f"SVC_SMTP_STARTTLS, whether it takes "
        "log-ins, and the network"
    )
