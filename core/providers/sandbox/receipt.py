"""A carrier's delivery report, made up by the sandbox."""

WORDS = {
    "delivered": ("DELIVRD", "Delivered to the handset"),
    "undelivered": ("UNDELIV", "Not delivered"),
    "failed": ("REJECTD", "Refused"),
    "expired": ("EXPIRED", "Not delivered in time"),
}
"""By reason where it has words of its own, else by status."""


def sms_receipt(
    *,
    reference: str,
    message_id: str,
    recipient: str,
    route: str,
    status: str,
    reason: str | None,
    segments: int,
) -> dict[str, object]:
    """The interface's `providerReceipt`, but for `received`, which is known when the report comes
    in.
    """
    code, words = WORDS[reason if reason in WORDS else status]
    return {
        "id": reference,
        "type": "api_fast" if route == "otp" else "api_message",
        "to": recipient,
        "reference": message_id,
        "status": code,
        "statusDescription": words,
        "bill_factor": segments,
        "channel": "SMS",
    }
