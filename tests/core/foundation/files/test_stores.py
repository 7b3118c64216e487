"""A folder and a bucket do the same."""

import hmac
import re
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import aiohttp
import pytest
from structlog.testing import capture_logs

from core.foundation.files import BlobStore, FolderStore, Served, StoreAway
from core.foundation.files.bucket import S3Store
from tests.support.bucket_server import a_bucket_server

PDF = Served("proposta é.pdf", "application/pdf")
PAGE = Served("page.html", "text/html")


@pytest.fixture(scope="module")
def bucket_server() -> Iterator[str]:
    """An S3 server on loopback with the bucket `files`."""
    with a_bucket_server("files") as address:
        yield address


@pytest.fixture
async def bucket(bucket_server: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[S3Store]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-the-test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of-the-test")
    store = S3Store("files", endpoint=bucket_server, region="us-east-1")
    yield store
    await store.close()


async def opened(url: str) -> tuple[int, bytes, str, str]:
    async with aiohttp.ClientSession() as http, http.get(url) as answer:
        headers = answer.headers
        return (
            answer.status,
            await answer.read(),
            headers["Content-Type"],
            headers.get("Content-Disposition", ""),
        )


async def test_a_bucket_serves_what_was_put_with_our_type_and_name(bucket: S3Store) -> None:
    await bucket.put("org_1/arq_1", b"old")
    await bucket.put("org_1/arq_1", b"%PDF-1.7")

    status, content, content_type, disposition = await opened(
        await bucket.signed_url("org_1/arq_1", PDF, seconds=60)
    )

    assert (status, content, content_type) == (200, b"%PDF-1.7", "application/pdf")
    assert disposition == PDF.disposition
    assert "X-Amz-Expires=60" in await bucket.signed_url("org_1/arq_1", PDF, seconds=60)


async def test_a_bucket_never_lets_markup_open_in_place(bucket: S3Store) -> None:
    await bucket.put("org_1/arq_2", b"<script>")

    _, _, content_type, disposition = await opened(
        await bucket.signed_url("org_1/arq_2", PAGE, seconds=60)
    )

    assert content_type == "application/octet-stream"
    assert disposition.startswith("attachment")


async def test_a_bucket_forgets_what_is_deleted_and_does_not_mind_what_is_gone(
    bucket: S3Store,
) -> None:
    await bucket.put("org_1/arq_3", b"x")

    await bucket.delete(["org_1/arq_3", "org_1/never"])

    status, content, _, _ = await opened(await bucket.signed_url("org_1/arq_3", PDF, seconds=60))
    assert status in (403, 404)  # by what the reader may know
    assert content != b"x"


async def test_a_bucket_that_is_not_there_is_an_outage_that_tells_no_more(
    bucket_server: str, bucket: S3Store
) -> None:
    missing = S3Store("no-such-bucket", endpoint=bucket_server, region="us-east-1")

    for use_case in (missing.put("k", b"x"), missing.delete(["k"])):
        with pytest.raises(StoreAway) as raised, capture_logs() as logs:
            await use_case
        assert raised.value.__cause__ is None
        assert logs == [{"event": "files_away", "log_level": "warning", "error": "NoSuchBucket"}]
    await missing.close()


def folder_store(folder: Path, secret: str = "a secret") -> FolderStore:
    return FolderStore(folder / "blobs", base_url="http://svc.test", secret=secret)


def parts_of(url: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(url)
    return parts.path.removeprefix("/blobs/"), dict(parse_qsl(parts.query))


async def test_without_credentials_a_bucket_is_an_outage(
    bucket_server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    store = S3Store("files", endpoint=bucket_server, region="us-east-1")

    with pytest.raises(StoreAway), capture_logs() as logs:
        await store.signed_url("org_1/arq_1", PDF, seconds=60)
    assert [line["error"] for line in logs] == ["NoCredentialsError"]
    await store.close()


async def test_a_folder_keeps_whole_files_and_no_drafts(tmp_path: Path) -> None:
    store: BlobStore = folder_store(tmp_path)

    await store.put("org_1/arq_1", b"old")
    await store.put("org_1/arq_1", b"new")

    assert [path.read_bytes() for path in (tmp_path / "blobs").rglob("*") if path.is_file()] == [
        b"new"
    ]
    await store.delete(["org_1/arq_1", "org_1/never"])
    assert not [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]


async def test_a_folder_that_cannot_be_written_is_an_outage(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file is in the way")

    with pytest.raises(StoreAway), capture_logs() as logs:
        await folder_store(tmp_path).put("org_1/arq_1", b"x")
    assert logs == [{"event": "files_away", "log_level": "warning", "error": "ENOTDIR"}]
    assert (tmp_path / "blobs").read_text() == "a file is in the way"


async def test_an_address_of_the_folder_opens_until_its_time_is_over(tmp_path: Path) -> None:
    store = folder_store(tmp_path)
    key, values = parts_of(await store.signed_url("org_1/arq_1", PDF, seconds=60))

    assert store.path_of(key, dict(values), at=time.time()) == (tmp_path / "blobs/org_1/arq_1", PDF)
    assert store.path_of(key, dict(values), at=time.time() + 61) is None


async def test_the_addresses_of_a_page_are_those_of_each_file(
    tmp_path: Path, bucket: S3Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_795_266_000.9)
    store = folder_store(tmp_path)
    plain = [
        ("org_1/arq_1", "proposta-1.pdf", "application/pdf"),
        ("org_1/arq_2", "a.png", "image/png"),
    ]
    odd = [("org_2/arq_3", "a/b &c=é.pdf", "application/pdf"), ("org_2/arq_4", "\udcff", "")]

    for files in ([], plain, odd, [*plain, *odd]):
        urls = await store.signed_urls(files, seconds=3_600)
        assert urls == [
            await store.signed_url(key, Served(name, kind), seconds=3_600)
            for key, name, kind in files
        ]
        for url, (key, name, kind) in zip(urls, files, strict=True):
            values = dict(parse_qsl(urlsplit(url).query, True, errors="surrogateescape"))
            opened = (tmp_path / "blobs" / key, Served(name, kind))
            assert store.path_of(key, dict(values), at=1_795_269_600) == opened
            assert store.path_of(key, values, at=1_795_269_601) is None
            for other, *_ in files:
                assert other == key or store.path_of(other, dict(values), at=0) is None
    # An address that the version before has signed opens as well.
    secret = hmac.digest(b"a secret", b"signed addresses of files", "sha256")
    signed = b"key=org_1%2Farq_2&expires=1795269600&name=a.png&type=image%2Fpng"
    [_, url] = await store.signed_urls(plain, seconds=3_600)
    assert url.endswith(f"&signature={hmac.digest(secret, signed, 'sha256').hex()}")
    [url] = await bucket.signed_urls(plain[:1], seconds=60)
    assert urlsplit(url).path == "/files/org_1/arq_1"
    assert "X-Amz-Expires=60" in url


@pytest.mark.parametrize(
    "changed", ["expires", "name", "type", "signature", "key", "extra", "secret"]
)
async def test_an_address_that_was_changed_opens_nothing(tmp_path: Path, changed: str) -> None:
    store = folder_store(tmp_path)
    key, values = parts_of(await store.signed_url("org_1/arq_1", PDF, seconds=60))
    match changed:
        case "key":
            key = "org_2/arq_1"
        case "secret":
            store = folder_store(tmp_path, "another secret")
        case "extra":
            values["more"] = "1"
        case _:
            values[changed] = re.sub(
                r"\w", lambda found: "1" if found[0] != "1" else "2", values[changed], count=1
            )

    assert store.path_of(key, values, at=time.time()) is None
