"""An S3 server of this process."""

from collections.abc import Iterator
from contextlib import contextmanager

import boto3  # type: ignore[import-untyped]

from tests.support.moto_server import a_moto_server


@contextmanager
def a_bucket_server(*buckets: str) -> Iterator[str]:
    """Its address on loopback. It has these buckets, and no others: all servers of a process share
    what they hold.
    """
    with a_moto_server() as address:
        credentials = {"aws_access_key_id": "of-the-test", "aws_secret_access_key": "of-the-test"}
        client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **credentials)
        for bucket in buckets:
            client.create_bucket(Bucket=bucket)
        yield address
