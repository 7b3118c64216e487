"""A provider for live messages, and buckets of a test's own, as the channels' tests have them."""

from tests.core.sms.conftest import own_buckets, provider

__all__ = ["own_buckets", "provider"]
