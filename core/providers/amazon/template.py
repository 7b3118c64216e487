"""The CloudFormation template of what the service needs at Amazon: queue, topic, configuration set,
policy.
"""

KEEP_SECONDS = 14 * 86400
HIDE_SECONDS = 120
MAX_RECEIVES = 1000
"""A reply whose message is not known comes again for a day."""


def template(name: str, *, callback: str | None = None) -> dict[str, object]:
    """The template. `name`: what everything is called; `callback`: our public address, for the
    second way.
    """
    resources = {**_topic(name), **_queue(name), **_configuration_set(name), **_policy_of_service()}
    if callback is not None:
        resources["PostSubscription"] = _resource(
            "SNS::Subscription",
            TopicArn=_ref("Topic"),
            Protocol="https",
            Endpoint=f"{callback.rstrip('/')}/providers/amazon/events",
        )
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Events and replies of SMS for the messaging service",
        "Resources": resources,
        "Outputs": {
            "EventsQueue": _output("SVC_AMAZON_EVENTS_QUEUE", _ref("Queue")),
            "Topic": _output("SVC_AMAZON_TOPICS", _ref("Topic")),
            "ConfigurationSet": _output("SVC_EUM_CONFIGURATION_SET", name),
            "Policy": _output("Attach it to the user or role of the service", _ref("Policy")),
        },
    }


def _topic(name: str) -> dict[str, object]:
    """The topic that events and replies are published to."""
    return {
        "Topic": _resource("SNS::Topic", TopicName=name, SignatureVersion="2"),
        "TopicPolicy": _resource(
            "SNS::TopicPolicy",
            Topics=[_ref("Topic")],
            PolicyDocument=_policy(
                _allow(
                    "sns:Publish",
                    _ref("Topic"),
                    Principal={"Service": "sms-voice.amazonaws.com"},
                    Condition={"StringEquals": {"aws:SourceAccount": _ref("AWS::AccountId")}},
                )
            ),
        ),
    }


def _queue(name: str) -> dict[str, object]:
    """The queue that the service reads, with another for what it could not apply for a day."""
    return {
        "DeadLetters": _resource(
            "SQS::Queue",
            QueueName=f"{name}-dead",
            MessageRetentionPeriod=KEEP_SECONDS,
            SqsManagedSseEnabled=True,
        ),
        "Queue": _resource(
            "SQS::Queue",
            QueueName=name,
            MessageRetentionPeriod=KEEP_SECONDS,
            VisibilityTimeout=HIDE_SECONDS,
            SqsManagedSseEnabled=True,
            RedrivePolicy={
                "deadLetterTargetArn": _arn("DeadLetters"),
                "maxReceiveCount": MAX_RECEIVES,
            },
        ),
        "QueuePolicy": _resource(
            "SQS::QueuePolicy",
            Queues=[_ref("Queue")],
            PolicyDocument=_policy(
                _allow(
                    "sqs:SendMessage",
                    _arn("Queue"),
                    Principal={"Service": "sns.amazonaws.com"},
                    Condition={"ArnEquals": {"aws:SourceArn": _ref("Topic")}},
                )
            ),
        ),
        "QueueSubscription": _resource(
            "SNS::Subscription", TopicArn=_ref("Topic"), Protocol="sqs", Endpoint=_arn("Queue")
        ),
    }


def _configuration_set(name: str) -> dict[str, object]:
    """What makes events of the sends that name it."""
    return {
        "ConfigurationSet": _resource(
            "SMSVOICE::ConfigurationSet",
            ConfigurationSetName=name,
            EventDestinations=[
                {
                    "EventDestinationName": name,
                    "Enabled": True,
                    "MatchingEventTypes": ["TEXT_ALL"],
                    "SnsDestination": {"TopicArn": _ref("Topic")},
                }
            ],
        ),
    }


def _policy_of_service() -> dict[str, object]:
    """What the user or role of the service may do."""
    return {
        "Policy": _resource(
            "IAM::ManagedPolicy",
            Description="What the messaging service may do at Amazon",
            PolicyDocument=_policy(
                _allow(
                    [
                        "sms-voice:SendTextMessage",
                        "sms-voice:DescribeSpendLimits",
                        "sms-voice:DescribeConfigurationSets",
                        "sns:Publish",
                        "sns:GetSMSAttributes",
                        "logs:FilterLogEvents",
                    ],
                    "*",
                ),
                _allow(
                    ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
                    _arn("Queue"),
                ),
                _allow("sns:ConfirmSubscription", _ref("Topic")),
            ),
        ),
    }


def _resource(type: str, **properties: object) -> dict[str, object]:
    return {"Type": f"AWS::{type}", "Properties": properties}


def _policy(*statements: dict[str, object]) -> dict[str, object]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def _allow(action: str | list[str], resource: object, **more: object) -> dict[str, object]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def _ref(name: str) -> dict[str, str]:
    return {"Ref": name}


def _arn(name: str) -> dict[str, list[str]]:
    return {"Fn::GetAtt": [name, "Arn"]}


def _output(description: str, value: object) -> dict[str, object]:
    return {"Description": description, "Value": value}
