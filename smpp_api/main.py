"""One SMPP process: what it opens, the listener, and a graceful stop."""

import asyncio
import os
import signal
import ssl
from ipaddress import ip_address

import structlog
import uvloop

from core.foundation import files, http_client, pubsub
from core.foundation.database import db
from core.foundation.redis_address import open_redis
from core.foundation.security import rate_limit
from core.foundation.settings import Settings, SettingsError, current
from core.operations import metrics_server, tell_another_hash_key
from core.providers import registry
from smpp_api.listener import Listener
from smpp_api.trace import Tracing

log = structlog.get_logger()

FORCED_EXIT_STATUS = 1


def run(host: str, port: int, *, metrics_port: int | None = None) -> None:
    """Serve in this process until SIGTERM or SIGINT; a second one ends it at once."""
    uvloop.run(_main(host, port, metrics_port))


async def _main(host: str, port: int, metrics_port: int | None) -> None:
    stop = asyncio.Event()

    def end() -> None:
        if stop.is_set():
            os._exit(FORCED_EXIT_STATUS)
        log.info("smpp_stopping")
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await serve(current(), host, port, stop, metrics_port=metrics_port)


async def serve(
    settings: Settings,
    host: str,
    port: int,
    stop: asyncio.Event,
    *,
    metrics_port: int | None = None,
) -> None:
    """Serve until `stop` is set, then finish what has begun."""
    tls = tls_of(settings, host)
    await db.open_database(settings)
    await tell_another_hash_key()
    await registry.open_providers(settings)
    client = open_redis(settings.redis_url, seconds=0.5, answer_seconds=0.5)
    rate_limit.use_buckets(rate_limit.RedisBuckets(client))
    publisher = pubsub.Publisher(client)
    pubsub.use_publisher(publisher)
    listener = Listener(Tracing(client))
    try:
        port = await listener.listen(host, port, tls=tls)
        if tls is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, _read_again, settings, tls)
        measured = metrics_server(
            client,
            host=settings.worker_metrics_host,
            port=metrics_port,
            token=settings.metrics_token,
        )
        async with measured:
            log.info("smpp_started", pid=os.getpid(), host=host, port=port, tls=tls is not None)
            await listener.run(stop)
            await listener.stop(seconds=settings.drain_seconds)
    finally:
        pubsub.use_publisher(None)
        await publisher.close()
        await http_client.close_clients()
        await files.close_blob_store()
        await client.aclose()
        await registry.close_providers()
        await db.close_database()
        log.info("smpp_stopped")


def tls_of(settings: Settings, host: str) -> ssl.SSLContext | None:
    """The certificate of the settings. Raises SettingsError where there is none and others than
    this machine would see passwords and texts.
    """
    if settings.smpp_cert is None or settings.smpp_key is None:
        if not _is_loopback(host) and settings.smpp_plain != "on":
            raise SettingsError(
                "Without SVC_SMPP_CERT and SVC_SMPP_KEY svc smpp listens on loopback alone; "
                "SVC_SMPP_PLAIN=on lets it"
            )
        if settings.smpp_client_ca is not None:
            raise SettingsError("SVC_SMPP_CLIENT_CA needs SVC_SMPP_CERT and SVC_SMPP_KEY")
        return None
    context = _new_context()
    try:
        _load(settings, context)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"SVC_SMPP_CERT, SVC_SMPP_KEY and SVC_SMPP_CLIENT_CA are not read: {type(error).__name__}"
        ) from None
    return context


def _new_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _load(settings: Settings, context: ssl.SSLContext) -> None:
    """The files of the settings. Clients are asked for a certificate where theirs can be told from
    others'; which accounts need one is theirs to say.
    """
    assert settings.smpp_cert is not None
    context.load_cert_chain(settings.smpp_cert, settings.smpp_key)
    if settings.smpp_client_ca is not None:
        context.load_verify_locations(settings.smpp_client_ca)
        context.verify_mode = ssl.CERT_OPTIONAL


def _read_again(settings: Settings, context: ssl.SSLContext) -> None:
    """A renewed certificate, for connections from now on. What does not fit together is not taken
    at all.
    """
    try:
        _load(settings, _new_context())
        _load(settings, context)
        log.info("smpp_certificate_read")
    except (OSError, ssl.SSLError) as error:
        log.warning("smpp_certificate_unread", error=type(error).__name__)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
