"""Logs and metrics."""

from typing import Literal

from pydantic import Field, field_validator

from core.foundation.settings.group import SettingsGroup, empty_is_unset

LogFormat = Literal["auto", "console", "json"]


class ObservabilitySettings(SettingsGroup):
    """Logs and metrics."""

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

    _unset_of_observability = field_validator(
        "metrics_token", "worker_metrics_port", mode="before"
    )(empty_is_unset)
