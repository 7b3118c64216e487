"""The libraries of AWS, a second of every start, are imported only where Amazon is set."""

import base64
import subprocess
import sys

import pytest

from tests.support.processes import ROOT, plain_environment

START = """
import asyncio, sys
import rest_api.app, workers.main
from core.foundation.settings import current
from core.providers import registry
from core.sms import AmazonEvents, AmazonLogs
from core.foundation.batches import Batches

async def start():
    await registry.open_providers(current())
    stop = asyncio.Event()
    loops = [asyncio.create_task(loop.run(stop, Batches("x"))) for loop in (AmazonEvents(), AmazonLogs())]
    await asyncio.sleep(0)
    stop.set()
    await asyncio.gather(*loops)
    await registry.close_providers()

asyncio.run(start())
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
LIBRARIES = {"aiobotocore", "botocore", "boto3", "moto"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("amazon", "expected"),
    [({}, set()), ({"SVC_EUM_ORIGIN_OTP": "pool-1"}, {"aiobotocore", "botocore"})],
)
def test_a_process_imports_the_libraries_of_aws_only_where_amazon_is_set(
    amazon: dict[str, str], expected: set[str]
) -> None:
    """API and worker in one process: their modules, their providers, their loops."""
    needed = {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1/nothing",
        "REDIS_URL": "redis://127.0.0.1",
        "SVC_HASH_KEY": "the hash key of the tests",
        "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(range(32))).decode(),
    }
    run = subprocess.run(
        [sys.executable, "-P", "-c", START],
        cwd=ROOT,
        env=plain_environment() | needed | {"PYTHONPATH": str(ROOT)} | amazon,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr[-2000:]
    assert set(run.stdout.splitlines()[-1].split()) & LIBRARIES == expected
