"""`svc dev`: everything on this machine, in the foreground, with nothing to install beside it."""

import asyncio
import os
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.address import answers_ready, free_port, reachable, url_of
from cli.children.child import ChildProcess
from cli.children.supervisor import Supervisor
from cli.demo_file import first_steps, read_demo, shell_file, write_shell_variables
from cli.dev_folder import (
    data_folder,
    lend_secrets,
    lock_of,
    publish_environment,
    withdraw_environment,
)
from cli.failures import Failure
from cli.output import say, show

SOURCE = Path(__file__).resolve().parent.parent
READY_TIMEOUT = 60.0
DRAIN_TIMEOUT = 20.0


def dev(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8000,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave the worker out.")] = False,
    smpp_port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Listen for SMPP here too, on 127.0.0.1; 0 picks a free port."
        ),
    ] = None,
) -> None:
    """Run the whole service: PostgreSQL, Redis, the API and the worker. Ctrl-C stops it.

    DATABASE_URL and REDIS_URL are used instead of the embedded servers when they are set. Data
    lives in SVC_DATA_DIR (default .svc); deleting that folder is a reset.
    """
    # Set by name: in a shell's background SIGINT would be ignored.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        with ExitStack() as undo:
            try:
                _run(undo, host=host, port=port, with_worker=not no_worker, smpp_port=smpp_port)
            finally:
                _leave_at_once_on_the_next_signal()
    except KeyboardInterrupt:
        say("stopped")


def _run(
    undo: ExitStack, *, host: str, port: int, with_worker: bool, smpp_port: int | None
) -> None:
    folder = data_folder()
    undo.enter_context(lock_of(folder))
    port = free_port(host, port)
    url = url_of(host, port)
    os.environ["SVC_DATA_DIR"] = str(folder)
    os.environ["SVC_DEV_URL"] = url_of(reachable(host), port)  # where `svc demo` finds us
    os.environ.setdefault("SVC_BASE_URL", url_of(reachable(host), port))
    os.environ.setdefault("SVC_WEBHOOK_ALLOW_NETWORKS", "127.0.0.0/8")
    os.environ.setdefault("SVC_WEBHOOK_ALLOW_HTTP", "on")
    lend_secrets(folder, os.environ)

    supervisor = Supervisor(say)
    _start_servers(undo, supervisor, folder)
    demo = asyncio.run(_prepare(folder))
    undo.callback(withdraw_environment, folder)
    publish_environment(folder)

    children = [_child("api", "--host", host, "--port", str(port))]
    if with_worker:
        children.append(_child("worker"))
    if smpp_port is not None:
        smpp_port = free_port("127.0.0.1", smpp_port)
        children.append(_child("smpp", "--port", str(smpp_port)))
    undo.callback(_drain, children)
    for child in children:
        child.start()
        supervisor.keep(child)
    _wait_until_ready(supervisor, host, port)

    write_shell_variables(
        folder,
        url=os.environ["SVC_DEV_URL"],
        key=demo["test"]["key"],
        smpp_port=smpp_port,
    )
    show(
        {"url": url, "dataDir": str(folder), **demo}
        | ({} if smpp_port is None else {"smppPort": smpp_port}),
        text=first_steps(url, demo, shell_file(folder)),
    )
    if smpp_port is not None:
        say(f"smpp 127.0.0.1:{smpp_port}")
    say(f"ready {url}")
    while True:
        supervisor.look()
        time.sleep(0.2)


def _start_servers(undo: ExitStack, supervisor: Supervisor, folder: Path) -> None:
    """Start the servers that the environment does not name, and name them there."""
    if not os.environ.get("DATABASE_URL"):
        from cli.embedded.postgres import EmbeddedPostgres

        postgres = undo.enter_context(EmbeddedPostgres(folder / "postgres"))
        os.environ["DATABASE_URL"] = postgres.address
        supervisor.keep(postgres)
    if not os.environ.get("REDIS_URL"):
        from cli.embedded.redis import EmbeddedRedis

        redis = undo.enter_context(EmbeddedRedis(folder / "redis"))
        os.environ["REDIS_URL"] = redis.address
        supervisor.keep(redis)


async def _prepare(folder: Path) -> dict[str, Any]:
    """Bring the database to the newest schema and make the demo organization on the first start."""
    from cli.demo_data import ensure_demo
    from core.foundation import settings
    from core.foundation.database import schema

    await schema.migrate(
        settings.load().database_url, progress=lambda name: say(f"migrated {name}"), waiting=say
    )
    await ensure_demo(folder)
    demo = read_demo(folder)
    assert demo is not None, "ensure_demo writes demo.json"
    return demo


def _child(command: str, *options: str) -> ChildProcess:
    """Another command of ours as a child, found wherever the user stands."""
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
    return ChildProcess(
        command,
        [sys.executable, "-P", "-m", "cli", command, *options],
        environment={**os.environ, "PYTHONPATH": path},
        patience=DRAIN_TIMEOUT,
    )


def _wait_until_ready(supervisor: Supervisor, host: str, port: int) -> None:
    deadline = time.monotonic() + READY_TIMEOUT
    while not answers_ready(host, port):
        if time.monotonic() > deadline:
            raise Failure(f"the API is not ready after {READY_TIMEOUT:.0f} s; its lines are above")
        supervisor.look()
        time.sleep(0.1)


def _drain(children: list[ChildProcess]) -> None:
    """Let the API and the worker finish what they have begun, both at the same time."""
    for child in children:
        child.ask_to_stop()
    for child in children:
        child.wait()


def _leave_at_once_on_the_next_signal() -> None:
    """A second Ctrl-C does not wait: the guards of our children end them without us."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: os._exit(1))
