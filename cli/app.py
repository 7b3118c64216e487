"""The command `svc`: where every command is registered.

Modules of commands import core inside the commands, so that `svc --help` answers at once.
"""

import gc
from typing import Annotated

import typer

from cli import (
    accounts,
    amazon,
    cells_place,
    contacts,
    email_senders,
    encryption,
    instagram,
    keys,
    limits,
    messages,
    numbers,
    organizations,
    partitions,
    push_apps,
    sandbox,
    serve,
    smpp_accounts,
    wallet,
    webhooks,
)
from cli.backup import backup, restore
from cli.demo import demo
from cli.dev import dev
from cli.dev_folder import join_running_dev
from cli.doctor import doctor
from cli.gateway_example.command import gateway_example
from cli.lazy_packages import import_lazily
from cli.listen import listen
from cli.output import command
from cli.seed.command import seed
from cli.session import models_imported
from cli.settings import settings
from cli.version import show_version

STAYING = frozenset({"api", "dev", "smpp", "smpp-link", "worker"})
"""Commands that run for long: they import what they need at their start, not at the first request.
"""

app = typer.Typer(
    name="svc",
    help="Run and look after the messaging service.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def settle(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="With --version: as one JSON object.")
    ] = False,
) -> None:
    """Run and look after the messaging service.

    Settings come from environment variables (`svc settings` lists them). Where `svc dev` is running
    in this folder, the other commands work with its database.
    """
    if version:
        show_version(as_json=json)
        raise typer.Exit
    if json:
        raise typer.BadParameter("write --json behind the command", param_hint="--json")
    if context.invoked_subcommand not in STAYING:
        import_lazily(models_imported)
    if context.invoked_subcommand != "dev":
        join_running_dev()


command(app, "dev")(dev)
command(app, "api")(serve.api)
command(app, "worker")(serve.worker)
command(app, "smpp")(serve.smpp)
command(app, "smpp-link")(serve.smpp_link)
command(app, "migrate")(serve.migrate)
command(app, "backup")(backup)
command(app, "restore")(restore)
command(app, "seed")(seed)
command(app, "demo")(demo)
command(app, "listen")(listen)
command(app, "gateway-example")(gateway_example)
command(app, "doctor")(doctor)
command(app, "settings")(settings)
command(app, "clock")(sandbox.clock)
app.add_typer(organizations.org, name="org")
app.add_typer(accounts.account, name="account")
app.add_typer(keys.key, name="key")
app.add_typer(smpp_accounts.smpp_account, name="smpp-account")
app.add_typer(contacts.contacts, name="contacts")
app.add_typer(wallet.wallet, name="wallet")
app.add_typer(wallet.prices, name="prices")
app.add_typer(limits.limits, name="limits")
app.add_typer(email_senders.email_sender, name="email-sender")
app.add_typer(numbers.number, name="number")
app.add_typer(instagram.instagram, name="instagram")
app.add_typer(amazon.amazon, name="amazon")
app.add_typer(push_apps.push_app, name="push-app")
app.add_typer(push_apps.quiet_hours, name="quiet-hours")
app.add_typer(sandbox.sandbox, name="sandbox")
app.add_typer(messages.messages, name="messages")
app.add_typer(messages.suppressions, name="suppressions")
app.add_typer(webhooks.webhooks, name="webhooks")
app.add_typer(encryption.encryption, name="encryption")
app.add_typer(partitions.partitions, name="partitions")
app.add_typer(cells_place.cell, name="cell")


def main() -> None:
    """The entry point of `svc` and of `python -m cli`."""
    # What is imported stays; looking through it again and again took a tenth of a command's time.
    gc.set_threshold(50_000, 50, 100)
    app(prog_name="svc")
