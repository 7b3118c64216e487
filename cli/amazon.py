"""`svc amazon …`: what is needed at Amazon, and whether it is there."""

import re
from typing import Annotated, Any

import typer

from cli.output import command, show

amazon = typer.Typer(help="The account at Amazon that carries live SMS.", no_args_is_help=True)


@command(amazon, "doctor")
async def doctor(
    *,
    to: Annotated[
        str | None,
        typer.Option(help="A phone in E.164 for which a message of each route is tried, not sent."),
    ] = None,
) -> None:
    """Check everything at Amazon that the settings name; one line each, exit status 1 if any fails.

    Nothing is sent and nothing is changed. With --to, Amazon is asked whether it would take a
    message (a dry run).
    """
    from core.foundation.settings import current
    from core.providers.amazon.examine import examine
    from core.providers.gateway import open_session

    if to is not None and not re.fullmatch(r"\+[1-9][0-9]{7,14}", to):
        raise typer.BadParameter("write it in E.164, such as +5511987654321", param_hint="--to")
    async with open_session() as session:
        findings = await examine(current(), session, to=to)
    well = all(found.ok is not False for found in findings)
    checks = [{"name": found.name, "ok": found.ok, "detail": found.detail} for found in findings]
    words = {True: "ok", False: "FAILS", None: "-"}
    show(
        {"ok": well, "checks": checks},
        text="\n".join(f"{words[f.ok]:<6} {f.name:<13} {f.detail}" for f in findings),
    )
    if not well:
        raise typer.Exit(1)


@command(amazon, "setup")
def setup(
    *,
    print_: Annotated[
        bool, typer.Option("--print", help="Print the CloudFormation template.")
    ] = False,
    name: Annotated[
        str, typer.Option(help="What queue, topic and configuration set are called.")
    ] = "svc-events",
    url: Annotated[
        str | None,
        typer.Option(help="Our public address (https), to be told by notifications as well."),
    ] = None,
) -> None:
    """Print what creates everything needed at Amazon: topic, queue, configuration set, permissions.

    Nothing is created by this command: look through the template, and hand it to CloudFormation.
    """
    import json

    from core.providers.amazon.template import template

    if not print_:
        raise typer.BadParameter(
            "nothing is created from here: write --print", param_hint="--print"
        )
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", name):
        raise typer.BadParameter("letters, digits, - and _", param_hint="--name")
    if url is not None and not re.fullmatch(r"https://[^\s/?#@]+(/[^\s?#]*)?", url):
        raise typer.BadParameter("write https://host", param_hint="--url")
    made: dict[str, Any] = template(name, callback=url)
    show(made, text=json.dumps(made, indent=2))
