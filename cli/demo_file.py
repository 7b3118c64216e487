"""`demo.json` of the data folder: the demo organization and its keys.

Shape: {"organizationId", "accountId", "owner": {"email", "password"}, "numberId", "test": {"id",
"key"}, "live": {"id", "key"}}. The number is one of the sandbox. A file of an older version lacks
it, or the owner.

Beside it lies `demo.env`, which a shell reads: `URL` (the running `svc dev`), `KEY` (the sandbox
key) and, where it listens for SMPP, `SMPP_PORT`.
"""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.private_file import read_private, write_private, write_private_text

FIRST_SMS = {
    "to": "+5511987650005",
    "body": "Olá! Seu pedido saiu para entrega.",
    "route": "premium",
}


def demo_file(folder: Path) -> Path:
    """Where it lies in the data folder."""
    return folder / "demo.json"


def read_demo(folder: Path) -> dict[str, Any] | None:
    """The demo organization, or None before the first start."""
    return read_private(demo_file(folder))


def write_demo(folder: Path, demo: Mapping[str, Any]) -> None:
    """Keep the demo organization for the next starts, readable by its owner alone."""
    write_private(demo_file(folder), demo)


def write_shell_variables(
    folder: Path, *, url: str, key: str, smpp_port: int | None = None
) -> None:
    """Keep the address and the sandbox key of the running service where a shell reads them."""
    variables = {"URL": url, "KEY": key}
    if smpp_port is not None:
        variables["SMPP_PORT"] = str(smpp_port)
    text = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    write_private_text(shell_file(folder), text)


def shell_file(folder: Path) -> Path:
    """Where the variables of the examples lie: `. .svc/demo.env` sets `URL` and `KEY`."""
    return folder / "demo.env"


def first_steps(url: str, demo: Mapping[str, Any], shell: Path) -> str:
    """What a person does next: the keys, the file with the variables of the examples, and a first
    SMS to copy.

    The SMS has another Idempotency-Key each second, so that copying it twice sends twice.
    """
    body = shlex.quote(json.dumps(FIRST_SMS, ensure_ascii=False))
    first_sms = (
        f"curl -sS -X POST {url}/v2/sms/messages"
        f" -H 'Authorization: Bearer {demo['test']['key']}'"
        ' -H "Idempotency-Key: first-sms-$(date +%s)"'
        f" -H 'Content-Type: application/json' -d {body}"
    )
    owner = demo.get("owner")
    return "\n".join(
        [
            f"organization  {demo['organizationId']}",
            f"test key      {demo['test']['key']}",
            f"live key      {demo['live']['key']}",
            *([f"test number   {demo['numberId']}"] if "numberId" in demo else []),
            *([f"owner         {owner['email']}   password {owner['password']}"] if owner else []),
            f"reference     {url}/docs",
            f"console       {url}/console",
            "",
            f"The variables of the examples, for another terminal:  . {shlex.quote(str(shell))}",
            "",
            "Send a first SMS in the sandbox:",
            "",
            first_sms,
            "",
        ]
    )
