"""What is sent by Amazon: End User Messaging, SNS, their events and prices."""

import re
from decimal import Decimal
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from core.foundation.absent import without_none
from core.foundation.settings.group import SettingsGroup, Switch, comma_separated, empty_is_unset

AWS_REGION = r"^[a-z]{2}(-[a-z]+){1,3}-[0-9]$"
SNS_TOPIC = (
    r"arn:aws(?:-cn|-us-gov)?:sns:[a-z]{2}(?:-[a-z]+){1,3}-[0-9]:[0-9]{12}:[A-Za-z0-9_-]{1,256}"
)
EUM_ORIGIN = r"^[A-Za-z0-9_:/+-]{1,256}$"
EumOrigin = Annotated[str, Field(pattern=EUM_ORIGIN)]
"""A pool, number or sender id of End User Messaging, by id or ARN."""


class AmazonSettings(SettingsGroup):
    """What is sent by Amazon: End User Messaging, SNS, their events and prices."""

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
    eum_origin_premium: EumOrigin | None = Field(
        default=None,
        validation_alias="SVC_EUM_ORIGIN_PREMIUM",
        description="What the route premium leaves by: a pool, number or sender id, by id or ARN; "
        "one of the three sets cloud-eum",
    )
    eum_origin_otp: EumOrigin | None = Field(
        default=None,
        validation_alias="SVC_EUM_ORIGIN_OTP",
        description="The same of the route otp",
    )
    eum_origin_dedicada: EumOrigin | None = Field(
        default=None,
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

    _lists_of_amazon = field_validator("amazon_topics", "sns_log_groups", mode="before")(
        comma_separated
    )

    _unset_of_amazon = field_validator(
        "eum_configuration_set",
        "eum_origin_premium",
        "eum_origin_otp",
        "eum_origin_dedicada",
        "eum_protect",
        "amazon_events_queue",
        "amazon_max_price_usd",
        "sns_region",
        "sns_sender_id",
        mode="before",
    )(empty_is_unset)

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

    @property
    def eum_origins(self) -> dict[str, str]:
        """What each route of cloud-eum leaves by; empty: cloud-eum is not set."""
        origins = {
            "premium": self.eum_origin_premium,
            "otp": self.eum_origin_otp,
            "la_dedicada": self.eum_origin_dedicada,
        }
        return without_none(origins)
