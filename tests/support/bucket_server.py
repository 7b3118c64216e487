"""An S3 server of this process."""

from collections.abc import Iterator
from contextlib import contextmanager

import boto3  # type: ignore[import-untyped]
import httpx
from moto.server import ThreadedMotoServer


@contextmanager
def a_bucket_server(*buckets: str) -> Iterator[str]:
    """Its address on loopback. It has these buckets, and no others: all servers of a process share
    what they hold.
    """
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    try:
        httpx.post(f"{address}/moto-api/reset").raise_for_status()
        credentials = {"aws_access_key_id": "of-the-test", "aws_secret_access_key": "of-the-test"}
        client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **credentials)
        for bucket in buckets:
            client.create_bucket(Bucket=bucket)
        yield address
    finally:
        server.stop()
