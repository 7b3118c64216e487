"""`svc doctor` asks the bucket and the relay that the settings name, changes nothing there, and
shows no secret.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import boto3  # type: ignore[import-untyped]
import pytest

from cli import checks
from cli.checks import Warned, outside
from cli.failures import Failure
from core.foundation.settings import Settings
from tests.fakes.relay import Relay, a_relay
from tests.support.bucket_server import a_bucket_server

PASSWORD = "the relay's password"


@pytest.fixture(scope="module")
def bucket_server() -> Iterator[str]:
    with a_bucket_server("files") as address:
        yield address


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-the-test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush-hush")


@asynccontextmanager
async def a_server(answer: bytes) -> AsyncIterator[str]:
    """Somebody who says the same to everybody, or nothing at all."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await reader.read()
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def s3_says(code: str, status: str = "403 Forbidden") -> bytes:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>of-the-test</Message></Error>".encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.fixture
def settings(
    database: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Settings]:
    """The settings of an installation, with these in the environment."""

    def read(**variables: object) -> Settings:
        for name, value in variables.items():
            monkeypatch.setenv(name, str(value))
        return Settings()

    return read


def of_s3(settings: Callable[..., Settings], endpoint: str, bucket: str = "files") -> Settings:
    return settings(SVC_MEDIA_STORE=f"s3://{bucket}", SVC_S3_ENDPOINT=endpoint)


async def test_a_bucket_that_answers_is_told_and_stays_empty(
    bucket_server: str, settings: Callable[..., Settings]
) -> None:
    there = boto3.client("s3", endpoint_url=bucket_server, region_name="us-east-1")

    assert (
        await checks.files(of_s3(settings, bucket_server))
        == "the bucket of SVC_MEDIA_STORE answers"
    )
    assert there.list_objects_v2(Bucket="files")["KeyCount"] == 0


async def test_a_bucket_that_is_not_there_is_a_failure(
    bucket_server: str, settings: Callable[..., Settings]
) -> None:
    with pytest.raises(Failure, match="no such bucket"):
        await checks.files(of_s3(settings, bucket_server, "another"))


@pytest.mark.parametrize("code", ["InvalidAccessKeyId", "SignatureDoesNotMatch"])
async def test_credentials_that_a_bucket_does_not_take_are_a_failure_and_not_shown(
    settings: Callable[..., Settings], code: str
) -> None:
    async with a_server(s3_says(code)) as address:
        with pytest.raises(Failure, match="credentials") as raised:
            await checks.files(of_s3(settings, f"http://{address}"))

    assert not {"of-the-test", "hush-hush"} & set(str(raised.value).split())


async def test_a_bucket_that_denies_is_told(settings: Callable[..., Settings]) -> None:
    async with a_server(s3_says("AccessDenied")) as address:
        told = await checks.files(of_s3(settings, f"http://{address}"))

    assert isinstance(told, Warned)
    assert "s3:ListBucket" in told


async def test_what_is_no_bucket_is_a_failure(settings: Callable[..., Settings]) -> None:
    async with a_server(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") as address:
        with pytest.raises(Failure, match="no usable answer"):
            await checks.files(of_s3(settings, f"http://{address}"))
    with pytest.raises(Failure, match=r"no usable answer \(EndpointConnectionError\)"):
        await checks.files(of_s3(settings, "http://127.0.0.1:1"))


async def test_silence_is_not_waited_for(
    settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "SECONDS", 0.2)
    async with a_server(b"") as address:
        with pytest.raises(Failure, match="the bucket of SVC_MEDIA_STORE gives no answer"):
            await checks.files(of_s3(settings, f"http://{address}"))
        with pytest.raises(Failure, match="the relay gives no answer"):
            await checks.mail(settings(SVC_SMTP_URL=f"smtp://{address}", SVC_SMTP_STARTTLS="off"))


def of_relay(settings: Callable[..., Settings], relay: Relay, **more: Any) -> Settings:
    trusted = {"SVC_SMTP_CA_FILE": relay.ca_file} if relay.ca_file else {}
    return settings(SVC_SMTP_URL=f"smtp://localhost:{relay.port}", **trusted, **more)


async def test_a_relay_that_takes_us_in_is_told_and_gets_no_letter(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    async with a_relay(tmp_path) as relay:
        plain = await checks.mail(of_relay(settings, relay))
        logged_in = await checks.mail(
            of_relay(settings, relay, SVC_SMTP_USER="svc", SVC_SMTP_PASSWORD=PASSWORD)
        )

    assert (plain, logged_in) == (
        "the relay takes us in",
        "the relay takes us in and accepts the log-in",
    )
    assert (relay.sessions, relay.taken) == (2, [])


async def test_a_log_in_that_is_refused_is_a_failure_and_not_shown(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    async with a_relay(tmp_path) as relay:
        with pytest.raises(
            Failure, match=r"refuses the log-in \(535\): check SVC_SMTP_USER"
        ) as raised:
            await checks.mail(
                of_relay(settings, relay, SVC_SMTP_USER="somebody", SVC_SMTP_PASSWORD="hush-hush")
            )

    assert not [word for word in ("somebody", "hush-hush") if word in str(raised.value)]


async def test_a_certificate_of_nobody_is_named(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    async with a_relay(tmp_path) as relay:
        with pytest.raises(Failure, match="SVC_SMTP_CA_FILE"):
            await checks.mail(settings(SVC_SMTP_URL=f"smtp://localhost:{relay.port}"))


async def test_a_relay_that_does_not_encrypt_refuses_or_is_away_is_a_failure(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    async with a_relay(tmp_path, starttls=False) as relay:
        with pytest.raises(Failure, match="SVC_SMTP_STARTTLS"):
            await checks.mail(of_relay(settings, relay))
    async with a_server(b"554 5.7.1 you@example.com is not welcome\r\n") as address:
        with pytest.raises(Failure, match=r"refuses the session \(554\)") as raised:
            await checks.mail(settings(SVC_SMTP_URL=f"smtp://{address}"))
        assert "example.com" not in str(raised.value)
    with pytest.raises(Failure, match="check SVC_SMTP_URL"):
        await checks.mail(settings(SVC_SMTP_URL="smtp://127.0.0.1:1"))


async def test_without_a_relay_it_is_said_what_follows() -> None:
    assert "503" in await checks.mail(cast(Settings, type("Unset", (), {"smtp_url": None})))
