"""Every setting of the service, read once from the environment into one frozen object."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.foundation.security.secrets import KeyRing

Switch = Literal["on", "off"]
AWS_REGION = r"^[a-z]{2}(-[a-z]+){1,3}-[0-9]$"
SNS_TOPIC = (
    r"arn:aws(?:-cn|-us-gov)?:sns:[a-z]{2}(?:-[a-z]+){1,3}-[0-9]:[0-9]{12}:[A-Za-z0-9_-]{1,256}"
)
EUM_ORIGIN = r"^[A-Za-z0-9_:/+-]{1,256}$"
LogFormat = Literal["auto", "console", "json"]


MAKE_KEY = 'python3 -c "import secrets; print(secrets.token_urlsafe(32))"'
"""A command that makes either of the two keys (32 bytes in base64url): shown wherever one is asked
for.
"""


class SettingsError(Exception):
    """One line that names the variable and what is wrong with it; never its value."""


class Settings(BaseSettings):
    """The settings of one process. `svc settings` prints them with their meaning."""

    # Never by field name: a stray LOG_LEVEL or BASE_URL of the machine is not ours.
    model_config = SettingsConfigDict(frozen=True, extra="ignore")

    database_url: str = Field(
        repr=False,
        validation_alias="DATABASE_URL",
        description=(
            "PostgreSQL: postgresql://user:password@host:port/name, of several servers "
            "host1:port1,host2:port2"
        ),
    )
    redis_url: str = Field(
        repr=False,
        validation_alias="REDIS_URL",
        description=(
            "Redis: redis://host:port/0, unix:///path/redis.sock or "
            "redis+sentinel://host1,host2/0?service=name"
        ),
    )
    hash_key: str = Field(
        min_length=16,
        repr=False,
        validation_alias="SVC_HASH_KEY",
        description="Secret behind the hashes of API keys and phones; it never rotates",
        json_schema_extra={"secret": True, "make": MAKE_KEY},
    )
    phone_hash: Literal["interface", "keyed"] = Field(
        default="interface",
        validation_alias="SVC_PHONE_HASH",
        description=(
            "keyed: without pii:full, phoneHash is of SVC_HASH_KEY too, and no guessing "
            "undoes its mask"
        ),
    )
    encryption_keys: Annotated[tuple[str, ...], NoDecode] = Field(
        min_length=1,
        repr=False,
        validation_alias="SVC_ENCRYPTION_KEYS",
        description="Base64 keys of 32 bytes, comma-separated, newest first",
        json_schema_extra={"secret": True, "make": MAKE_KEY},
    )
    data_dir: Path = Field(
        default=Path(".svc"), validation_alias="SVC_DATA_DIR", description="Folder of local data"
    )
    base_url: str = Field(
        default="http://127.0.0.1:8000",
        validation_alias="SVC_BASE_URL",
        description="Public address of the service, used in links and problem types",
    )
    billing: Switch = Field(
        default="on",
        validation_alias="SVC_BILLING",
        description="on: every organization has wallets; off: nothing is charged",
    )
    account_letters_from: str | None = Field(
        default=None,
        validation_alias="SVC_ACCOUNT_LETTERS_FROM",
        description=(
            "Sender of invitations and password e-mails: no-reply@example.com; unless "
            "set, the organization's first"
        ),
    )
    account_page: str | None = Field(
        default=None,
        validation_alias="SVC_ACCOUNT_PAGE",
        description=(
            "Address of the page behind the links of those e-mails; unless set, /account "
            "of the service"
        ),
    )
    webhook_allow_networks: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_WEBHOOK_ALLOW_NETWORKS",
        description="Private networks that outbound calls may reach, comma-separated CIDRs",
    )
    webhook_allow_http: Switch = Field(
        default="off",
        validation_alias="SVC_WEBHOOK_ALLOW_HTTP",
        description="on: http:// is accepted towards SVC_WEBHOOK_ALLOW_NETWORKS",
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_TRUSTED_PROXIES",
        description=(
            "Networks of our own proxies, comma-separated CIDRs: their X-Forwarded-For "
            "names the client"
        ),
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_CORS_ORIGINS",
        description=(
            "Origins whose pages may call the service from a browser, comma-separated: "
            "https://app.example.com"
        ),
    )
    asgi_middleware: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$",
        validation_alias="SVC_ASGI_MIDDLEWARE",
        description=(
            "package.module:name of a callable that wraps the API's ASGI application, as "
            "for Sentry or OpenTelemetry"
        ),
    )
    log_in_failures_per_address: int = Field(
        default=100,
        ge=5,
        le=1_000_000,
        validation_alias="SVC_LOG_IN_FAILURES_PER_ADDRESS",
        description=(
            "Failed log-ins of one network address, whoever they name, in 15 minutes; "
            "more are refused"
        ),
    )
    sandbox_delay_seconds: float = Field(
        default=3.0,
        ge=0,
        le=3600,
        validation_alias="SVC_SANDBOX_DELAY_SECONDS",
        description="Seconds between a sandbox acceptance and its delivery report",
    )
    media_store: str = Field(
        default="folder",
        validation_alias="SVC_MEDIA_STORE",
        description=(
            "Where files are: folder (SVC_DATA_DIR/blobs), or s3://bucket, with the AWS "
            "tools' credentials"
        ),
    )
    s3_endpoint: str | None = Field(
        default=None,
        validation_alias="SVC_S3_ENDPOINT",
        description=(
            "Address of an S3-compatible service that our readers reach too; without it, AWS"
        ),
    )
    s3_region: str = Field(
        default="us-east-1",
        validation_alias="SVC_S3_REGION",
        description="Region of the bucket",
    )
    gateway_url: str | None = Field(
        default=None,
        validation_alias="SVC_GATEWAY_URL",
        description=(
            "Address of the gateway that takes live SMS and RCS; without it live sends answer 503"
        ),
    )
    gateway_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validate_default=True,
        validation_alias="SVC_GATEWAY_SECRET",
        description=(
            "Secret shared with the gateway: it signs our requests and the gateway's callbacks"
        ),
        json_schema_extra={"secret": True},
    )
    gateway_timeout_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=60,
        validation_alias="SVC_GATEWAY_TIMEOUT_SECONDS",
        description=(
            "Seconds until a send without the gateway's answer counts as an unknown outcome"
        ),
    )
    callbacks_v1_until: date = Field(
        default=date(2027, 11, 30),
        validation_alias="SVC_CALLBACKS_V1_UNTIL",
        description=(
            "Day (UTC) from which callbacks of the gateway and the relay must be signed "
            "by v2; v1 ends with it"
        ),
    )
    sms_providers: Annotated[Mapping[str, tuple[str, ...]], NoDecode] = Field(
        default={},
        validate_default=True,
        validation_alias="SVC_SMS_PROVIDERS",
        description="Who carries which route of live SMS, as "
        "otp=cloud-eum/gateway,premium=gateway; behind the / who is "
        "asked after a clear refusal; without it, all by the first that is set: "
        "gateway, cloud-eum, cloud-sns",
    )
    smpp_cert: Path | None = Field(
        default=None,
        validation_alias="SVC_SMPP_CERT",
        description="Certificate chain (PEM) by which svc smpp speaks TLS; read again at SIGHUP",
    )
    smpp_key: Path | None = Field(
        default=None,
        validation_alias="SVC_SMPP_KEY",
        description="Private key (PEM) of SVC_SMPP_CERT",
    )
    smpp_client_ca: Path | None = Field(
        default=None,
        validation_alias="SVC_SMPP_CLIENT_CA",
        description="Authorities (PEM) of the certificates that clients of svc smpp may show",
    )
    smpp_plain: Switch = Field(
        default="off",
        validation_alias="SVC_SMPP_PLAIN",
        description="on: svc smpp listens without TLS on other addresses than loopback too",
    )
    eum_region: str = Field(
        default="sa-east-1",
        pattern=AWS_REGION,
        validation_alias="SVC_EUM_REGION",
        description="Region of AWS End User Messaging, with the AWS tools' credentials",
    )
    eum_configuration_set: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9_:/-]{1,256}$",
        validation_alias="SVC_EUM_CONFIGURATION_SET",
        description=(
            "Configuration set of what cloud-eum sends: its event destination tells us "
            "what became of it"
        ),
    )
    eum_origin_premium: str | None = Field(
        default=None,
        pattern=EUM_ORIGIN,
        validation_alias="SVC_EUM_ORIGIN_PREMIUM",
        description="What the route premium leaves by: a pool, number or sender id, by id or "
        "ARN; one of the three sets "
        "cloud-eum",
    )
    eum_origin_otp: str | None = Field(
        default=None,
        pattern=EUM_ORIGIN,
        validation_alias="SVC_EUM_ORIGIN_OTP",
        description="The same of the route otp",
    )
    eum_origin_dedicada: str | None = Field(
        default=None,
        pattern=EUM_ORIGIN,
        validation_alias="SVC_EUM_ORIGIN_DEDICADA",
        description="The same of the route la_dedicada",
    )
    eum_protect: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9_:/-]{1,256}$",
        validation_alias="SVC_EUM_PROTECT",
        description=(
            "Protect configuration (countries that may be sent to); without it, the account's"
        ),
    )
    amazon_events_queue: str | None = Field(
        default=None,
        validation_alias="SVC_AMAZON_EVENTS_QUEUE",
        description=(
            "Address of the SQS queue that Amazon's events and replies come by; workers read it"
        ),
    )
    amazon_topics: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_AMAZON_TOPICS",
        description=(
            "ARNs of the SNS topics whose notifications are taken at "
            "/providers/amazon/events, comma-separated"
        ),
    )
    amazon_allow_sha1: Switch = Field(
        default="off",
        validation_alias="SVC_AMAZON_ALLOW_SHA1",
        description="on: notifications that are signed by version 1 (SHA-1) are taken too",
    )
    amazon_max_price_usd: Decimal | None = Field(
        default=None,
        gt=0,
        le=99,
        decimal_places=5,
        validation_alias="SVC_AMAZON_MAX_PRICE_USD",
        description=(
            "Most US dollars that a part of a message may cost at Amazon; without it, no bound"
        ),
    )
    amazon_parts_per_second: float = Field(
        default=10.0,
        gt=0,
        le=10_000,
        validation_alias="SVC_AMAZON_PARTS_PER_SECOND",
        description=(
            "Parts of messages that each origin sends in a second, over all processes; "
            "more is refused with 429"
        ),
    )
    coins_per_usd: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        validation_alias="SVC_COINS_PER_USD",
        description="Coins (0.0001 BRL) that a US dollar counts as in the margins of providers, "
        "such as 55000; without "
        "it, no margin is told",
    )
    sns_region: str | None = Field(
        default=None,
        pattern=AWS_REGION,
        validation_alias="SVC_SNS_REGION",
        description="Region of Amazon SNS; sets cloud-sns",
    )
    sns_sender_id: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9-]{1,11}$",
        validation_alias="SVC_SNS_SENDER_ID",
        description="Sender id of what cloud-sns sends, where the country knows such",
    )
    sns_log_groups: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_SNS_LOG_GROUPS",
        description="Log groups in which Amazon SNS tells what became of messages, "
        "comma-separated: "
        "sns/REGION/ACCOUNT/DirectPublishToPhoneNumber and the same with /Failure",
    )
    smtp_url: str | None = Field(
        default=None,
        validation_alias="SVC_SMTP_URL",
        description=(
            "Relay of live e-mail: smtp://host:587, or smtps://host:465; without it live "
            "e-mail answers 503"
        ),
    )
    smtp_user: str | None = Field(
        default=None,
        validation_alias="SVC_SMTP_USER",
        description="Name to log in to the relay with; without it, no log-in",
    )
    smtp_password: str | None = Field(
        default=None,
        repr=False,
        validate_default=True,
        validation_alias="SVC_SMTP_PASSWORD",
        description="Password to log in to the relay with",
        json_schema_extra={"secret": True},
    )
    smtp_starttls: Switch = Field(
        default="on",
        validation_alias="SVC_SMTP_STARTTLS",
        description=(
            "on: smtp:// is encrypted before anything is sent, or nothing is; off: only "
            "for a relay next door"
        ),
    )
    smtp_ca_file: Path | None = Field(
        default=None,
        validation_alias="SVC_SMTP_CA_FILE",
        description=(
            "Certificates (PEM) that the relay's is checked with; without it, those of the machine"
        ),
    )
    smtp_timeout_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=600,
        validation_alias="SVC_SMTP_TIMEOUT_SECONDS",
        description="Seconds to wait for each answer of the relay",
    )
    smtp_connections: int = Field(
        default=4,
        ge=1,
        le=100,
        validation_alias="SVC_SMTP_CONNECTIONS",
        description="Connections to the relay that a worker has at most",
    )
    smtp_feedback_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validation_alias="SVC_SMTP_FEEDBACK_SECRET",
        description=(
            "Secret that signs what is posted about bounces and complaints; without it, "
            "no such address"
        ),
        json_schema_extra={"secret": True},
    )
    payments_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validation_alias="SVC_PAYMENTS_SECRET",
        description=(
            "Secret that signs what a payment system posts about payments; without it, "
            "no such address"
        ),
        json_schema_extra={"secret": True},
    )
    archive_after_days: int | None = Field(
        default=None,
        ge=1,
        le=36_500,
        validation_alias="SVC_ARCHIVE_AFTER_DAYS",
        description=(
            "Age in days at which finished conversational messages become archived; "
            "without it, never"
        ),
    )
    keep_messages_months: int | None = Field(
        default=None,
        ge=1,
        le=600,
        validation_alias="SVC_KEEP_MESSAGES_MONTHS",
        description="Whole months for which messages and their receipts are kept, once the "
        "tables are partitioned "
        "(`svc partitions enable`); without it, for ever",
    )
    keep_audit_months: int | None = Field(
        default=None,
        ge=1,
        le=600,
        validation_alias="SVC_KEEP_AUDIT_MONTHS",
        description="The same for the audit trail; without it, for ever",
    )
    keep_events_days: int = Field(
        default=30,
        ge=30,
        le=3_660,
        validation_alias="SVC_KEEP_EVENTS_DAYS",
        description="Days for which events and their deliveries are kept and can be sent again; "
        "the interface promises "
        "30, and they hold personal data",
    )
    keep_attempts_days: int = Field(
        default=30,
        ge=1,
        le=3_660,
        validation_alias="SVC_KEEP_ATTEMPTS_DAYS",
        description="Days for which each attempt at a delivery, with the beginning of its "
        "answer, is kept; no longer "
        "than its event",
    )
    retention_export: Literal["off", "parquet"] = Field(
        default="off",
        validation_alias="SVC_RETENTION_EXPORT",
        description="`parquet`: a month that is over is written to the store of files before it "
        "is dropped (needs the "
        "extra `parquet`)",
    )
    meta_app_secrets: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        repr=False,
        validation_alias="SVC_META_APP_SECRETS",
        description="Secret of the Meta app, and those of others that post to us, "
        "comma-separated, the app's first; "
        "without it live conversations answer 503",
        json_schema_extra={"secret": True},
    )
    meta_verify_token: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validate_default=True,
        validation_alias="SVC_META_VERIFY_TOKEN",
        description="Word that Meta repeats when our callback address is registered there",
        json_schema_extra={"secret": True},
    )
    meta_access_token: str | None = Field(
        default=None,
        repr=False,
        validation_alias="SVC_META_ACCESS_TOKEN",
        description="Access token of numbers that have none of their own",
        json_schema_extra={"secret": True},
    )
    meta_app_id: str | None = Field(
        default=None,
        pattern=r"^[0-9]{1,40}$",
        validation_alias="SVC_META_APP_ID",
        description="Id of the Meta app; needed for templates with a file in their header",
    )
    meta_graph_url: str = Field(
        default="https://graph.facebook.com",
        validation_alias="SVC_META_GRAPH_URL",
        description="Address of the Graph API",
    )
    meta_instagram_url: str = Field(
        default="https://graph.instagram.com",
        validation_alias="SVC_META_INSTAGRAM_URL",
        description="Address of the Graph API for Instagram accounts",
    )
    meta_graph_version: str = Field(
        default="v24.0",
        pattern=r"^v[0-9]{1,3}\.[0-9]{1,2}$",
        validation_alias="SVC_META_GRAPH_VERSION",
        description="Version of the Graph API",
    )
    meta_timeout_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=60,
        validation_alias="SVC_META_TIMEOUT_SECONDS",
        description="Seconds until a send without Meta's answer counts as an unknown outcome",
    )
    database_pool: int = Field(
        default=10,
        ge=2,
        le=200,
        validation_alias="SVC_DATABASE_POOL",
        description=(
            "Largest number of PostgreSQL connections of one process for all work but the heavy"
        ),
    )
    planned_database_url: str | None = Field(
        default=None,
        repr=False,
        validation_alias="SVC_PLANNED_DATABASE_URL",
        description=(
            "Behind PgBouncer: the same database by the name whose plans are kept; "
            "default: DATABASE_URL"
        ),
    )
    graphql_compiled: Switch = Field(
        default="on",
        validation_alias="SVC_GRAPHQL_COMPILED",
        description=(
            "off: graphql-core completes every answer of /graphql by itself, several times slower"
        ),
    )
    graphql_registered_only: Switch = Field(
        default="off",
        validation_alias="SVC_GRAPHQL_REGISTERED_ONLY",
        description="on: /graphql answers the operations of the console and no others",
    )
    heavy_pool: int = Field(
        default=6,
        ge=2,
        le=200,
        validation_alias="SVC_HEAVY_POOL",
        description=(
            "Connections of one process, besides SVC_DATABASE_POOL, for dashboards, "
            "lists, exports and imports"
        ),
    )
    heavy_places: int = Field(
        default=2,
        ge=1,
        le=200,
        validation_alias="SVC_HEAVY_PLACES",
        description=(
            "How many of SVC_HEAVY_POOL one organization uses at once in a process; "
            "fewer than all of them"
        ),
    )
    heavy_statement_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_HEAVY_STATEMENT_SECONDS",
        description=(
            "Seconds that one statement may take in PostgreSQL on a connection of SVC_HEAVY_POOL"
        ),
    )
    heavy_database_url: str | None = Field(
        default=None,
        repr=False,
        validation_alias="SVC_HEAVY_DATABASE_URL",
        description=(
            "Behind PgBouncer: the same database by the name for SVC_HEAVY_POOL; "
            "default: DATABASE_URL"
        ),
    )
    statement_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_STATEMENT_SECONDS",
        description=(
            "Seconds that one statement may take in PostgreSQL; 5 more without its "
            "answer: it counts as silent"
        ),
    )
    lock_seconds: float = Field(
        default=15.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_LOCK_SECONDS",
        description=(
            "Seconds that a statement waits for a lock; longer than SVC_IDLE_TRANSACTION_SECONDS"
        ),
    )
    idle_transaction_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_IDLE_TRANSACTION_SECONDS",
        description=(
            "Seconds of silence after which PostgreSQL undoes a transaction: its process froze"
        ),
    )
    pool_wait_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_POOL_WAIT_SECONDS",
        description=(
            "Seconds that work waits for a connection while all of SVC_DATABASE_POOL are in use"
        ),
    )
    request_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_REQUEST_SECONDS",
        description=(
            "Seconds that the API takes for a request that came whole; then it is undone "
            "and answered 503"
        ),
    )
    keep_alive_seconds: int = Field(
        default=75,
        ge=1,
        le=3600,
        validation_alias="SVC_KEEP_ALIVE_SECONDS",
        description=(
            "Seconds that the API keeps a connection open between requests: longer than "
            "its balancer does"
        ),
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info",
        validation_alias="SVC_LOG_LEVEL",
        description=(
            "Least severe log line to write; info: a line for every request, warning: "
            "for slow and failed ones"
        ),
    )
    log_format: LogFormat = Field(
        default="auto",
        validation_alias="SVC_LOG_FORMAT",
        description=(
            "console: short lines for people; json: an object a line; auto: console on a "
            "terminal, else json"
        ),
    )
    slow_request_seconds: float = Field(
        default=1.0,
        gt=0,
        le=3600,
        validation_alias="SVC_SLOW_REQUEST_SECONDS",
        description="A request that takes longer is logged as a warning",
    )
    metrics_token: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validation_alias="SVC_METRICS_TOKEN",
        description=(
            "When set, /metrics wants it as a bearer token; without it, keep /metrics "
            "inside your network"
        ),
        json_schema_extra={"secret": True},
    )
    worker_metrics_port: int | None = Field(
        default=None,
        ge=1,
        le=65535,
        validation_alias="SVC_WORKER_METRICS_PORT",
        description=(
            "Port where a worker answers /metrics and /healthz; without it, it listens nowhere"
        ),
    )
    worker_metrics_host: str = Field(
        default="127.0.0.1",
        validation_alias="SVC_WORKER_METRICS_HOST",
        description="Address that SVC_WORKER_METRICS_PORT is opened on",
    )
    drain_notice_seconds: float = Field(
        default=0.0,
        ge=0,
        le=120,
        validation_alias="SVC_DRAIN_NOTICE_SECONDS",
        description=(
            "Seconds between SIGTERM and the closing of the API's port; /readyz says 503 meanwhile"
        ),
    )
    drain_seconds: int = Field(
        default=15,
        ge=1,
        le=600,
        validation_alias="SVC_DRAIN_SECONDS",
        description="Seconds that open requests get to finish once the API's port is closed",
    )

    @field_validator(
        "encryption_keys",
        "webhook_allow_networks",
        "trusted_proxies",
        "cors_origins",
        "meta_app_secrets",
        "amazon_topics",
        "sns_log_groups",
        mode="before",
    )
    @classmethod
    def _comma_separated(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("encryption_keys")
    @classmethod
    def _readable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        KeyRing.from_base64(value)
        return value

    @field_validator("cors_origins")
    @classmethod
    def _as_browsers_write_them(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(_is_origin, value)):
            raise ValueError(
                "write each origin as browsers do: https://app.example.com, in lower case, "
                "without a path, without the "
                "port where it is the usual one; there is no * for all"
            )
        return value

    @field_validator(
        "s3_endpoint",
        "gateway_url",
        "gateway_secret",
        "smpp_cert",
        "smpp_key",
        "smpp_client_ca",
        "eum_configuration_set",
        "eum_origin_premium",
        "eum_origin_otp",
        "eum_origin_dedicada",
        "eum_protect",
        "amazon_events_queue",
        "amazon_max_price_usd",
        "coins_per_usd",
        "sns_region",
        "sns_sender_id",
        "smtp_url",
        "smtp_user",
        "smtp_password",
        "smtp_ca_file",
        "smtp_feedback_secret",
        "payments_secret",
        "meta_verify_token",
        "meta_access_token",
        "meta_app_id",
        "metrics_token",
        "worker_metrics_port",
        "planned_database_url",
        "heavy_database_url",
        mode="before",
    )
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return value or None  # compose files hand on `NAME=` for what nobody set

    @field_validator("media_store", mode="before")
    @classmethod
    def _a_store(cls, value: object) -> object:
        if (
            value
            and value != "folder"
            and not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", str(value))
        ):
            raise ValueError("write folder, or s3:// and the name of a bucket")
        return value or "folder"

    @field_validator(
        "base_url", "gateway_url", "s3_endpoint", "meta_graph_url", "meta_instagram_url"
    )
    @classmethod
    def _an_address_to_build_on(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # its message repeats the value
            sound = False
        if not sound:
            raise ValueError("write an absolute http or https address")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("write the address without credentials, query and fragment")
        return value.rstrip("/")

    @field_validator("amazon_events_queue")
    @classmethod
    def _a_queue(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"https?://[^\s/@?#]+/[^\s?#]+", value):
            raise ValueError("write the address of the queue: https://sqs.REGION.amazonaws.com/…")
        return value

    @field_validator("amazon_topics")
    @classmethod
    def _topics(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(SNS_TOPIC, topic) for topic in value):
            raise ValueError("write ARNs: arn:aws:sns:REGION:ACCOUNT:NAME")
        return value

    @field_validator("sns_log_groups")
    @classmethod
    def _log_groups(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(r"[A-Za-z0-9_/.#-]{1,512}", group) for group in value):
            raise ValueError("write names of log groups")
        return value

    @field_validator("account_letters_from")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[^\s@<>]{1,64}@[A-Za-z0-9.-]{1,255}", value):
            raise ValueError("write an address: no-reply@example.com")
        return value

    @field_validator("smtp_url")
    @classmethod
    def _a_relay(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            sound = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # its message repeats the value
            sound = False
        if (
            not sound
            or "@" in parts.netloc
            or parts.path.strip("/")
            or parts.query
            or parts.fragment
        ):
            raise ValueError("write smtp://host:port or smtps://host:port, without credentials")
        return value

    @field_validator("smtp_password")
    @classmethod
    def _with_the_user(cls, value: str | None, others: ValidationInfo) -> str | None:
        if "smtp_user" in others.data and (value is None) != (others.data["smtp_user"] is None):
            raise ValueError("set it together with SVC_SMTP_USER, or neither")
        return value

    @field_validator("gateway_secret")
    @classmethod
    def _with_the_address(cls, value: str | None, others: ValidationInfo) -> str | None:
        # An address that is itself wrong is missing here, and already named.
        if "gateway_url" in others.data and (value is None) != (others.data["gateway_url"] is None):
            raise ValueError("set it together with SVC_GATEWAY_URL, or neither")
        return value

    @field_validator("sms_providers", mode="before")
    @classmethod
    def _by_route(cls, value: object) -> object:
        return sms_providers_of(value) if isinstance(value, str) else value

    @field_validator("meta_app_secrets")
    @classmethod
    def _long_enough(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(secret) < 16 for secret in value):
            raise ValueError("each secret has at least 16 characters")
        return value

    @field_validator("meta_verify_token")
    @classmethod
    def _with_the_app_secrets(cls, value: str | None, others: ValidationInfo) -> str | None:
        # Secrets that are themselves wrong are missing here, and already named.
        if "meta_app_secrets" in others.data and (value is None) == bool(
            others.data["meta_app_secrets"]
        ):
            raise ValueError("set it together with SVC_META_APP_SECRETS, or neither")
        return value

    @property
    def eum_origins(self) -> dict[str, str]:
        """What each route of cloud-eum leaves by; empty: cloud-eum is not set."""
        origins = {
            "premium": self.eum_origin_premium,
            "otp": self.eum_origin_otp,
            "la_dedicada": self.eum_origin_dedicada,
        }
        return {route: origin for route, origin in origins.items() if origin is not None}

    @property
    def s3_bucket(self) -> str | None:
        """The bucket that files are kept in; None: they are in a folder."""
        return self.media_store.removeprefix("s3://") if self.media_store != "folder" else None

    @property
    def charges(self) -> bool:
        """Whether sends are paid from wallets."""
        return self.billing == "on"


def how_to_make(field: FieldInfo) -> str | None:
    """The command that makes a value of this setting, where there is one."""
    extra = field.json_schema_extra
    return str(extra["make"]) if isinstance(extra, dict) and "make" in extra else None


MADE = {
    str(field.validation_alias) for field in Settings.model_fields.values() if how_to_make(field)
}


SMS_ROUTES = ("premium", "otp", "la_dedicada")
SMS_PROVIDERS = ("gateway", "cloud-eum", "cloud-sns")
MAX_CARRIERS = 2
"""Who carries a route, and who is asked after a clear refusal."""


def sms_providers_of(text: str) -> dict[str, tuple[str, ...]]:
    """`otp=cloud-eum/gateway,premium=gateway`, read. Raises ValueError."""
    found: dict[str, tuple[str, ...]] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        route, _, names = part.partition("=")
        carriers = tuple(names.split("/"))
        if route not in SMS_ROUTES or route in found:
            raise ValueError(f"name each route once, of {', '.join(SMS_ROUTES)}: route=provider")
        if not set(carriers) <= set(SMS_PROVIDERS) or len({*carriers}) != len(carriers):
            raise ValueError(f"name providers of {', '.join(SMS_PROVIDERS)}, each once")
        if len(carriers) > MAX_CARRIERS:
            raise ValueError("name one provider of a route, and one behind a / at most")
        found[route] = carriers
    return found


ORIGIN = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?", re.ASCII
)


def _is_origin(text: str) -> bool:
    """Whether a browser would write an origin so."""
    usual = {"http": ":80", "https": ":443"}
    return ORIGIN.fullmatch(text) is not None and not text.endswith(usual[text.partition(":")[0]])


def load() -> Settings:
    """Read the environment. Raises SettingsError with one line that names every wrong variable."""
    try:
        return Settings()
    except ValidationError as invalid:
        wrong: dict[str, list[str]] = {}
        for error in invalid.errors(include_input=False, include_url=False, include_context=False):
            reasons = wrong.setdefault(_variable(error["loc"]), [])
            if (reason := error["msg"].removeprefix("Value error, ")) not in reasons:
                reasons.append(reason)
        line = "; ".join(f"{name}: {', '.join(reasons)}" for name, reasons in wrong.items())
        made = f". A key is made by: {MAKE_KEY}" if wrong.keys() & MADE else ""
        raise SettingsError(f"Wrong settings: {line}{made}") from None


def _variable(location: tuple[int | str, ...]) -> str:
    """The variable that an error speaks of; one about a missing value comes under the field's own
    name.
    """
    name = str(location[0]) if location else "settings"
    field = Settings.model_fields.get(name)
    return str(field.validation_alias) if field else name


@lru_cache(maxsize=1)
def current() -> Settings:
    """The settings of this process, read on first use."""
    return load()
