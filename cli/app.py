"""The command `svc`: where every command is registered.

Modules of commands import core inside the commands, so that `svc --help` answers at once.
"""

import gc

import typer

from cli import (
    accounts,
    contacts,
    email_senders,
    encryption,
    instagram,
    keys,
    limits,
    numbers,
    organizations,
    push_apps,
    serve,
    wallet,
)
from cli.demo import demo
from cli.dev import dev
from cli.dev_folder import join_running_dev
from cli.doctor import doctor
from cli.listen import listen
from cli.output import command
from cli.seed import seed
from cli.settings import settings

app = typer.Typer(
    name="svc",
    help="Run and look after the messaging service.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def settle(context: typer.Context) -> None:
    """Run and look after the messaging service.

    Settings come from environment variables (`svc settings` lists them). Where `svc dev` is running in this
    folder, the other commands work with its database.
    """
    if context.invoked_subcommand != "dev":
        join_running_dev()


command(app, "dev")(dev)
command(app, "api")(serve.api)
command(app, "worker")(serve.worker)
command(app, "migrate")(serve.migrate)
command(app, "seed")(seed)
command(app, "demo")(demo)
command(app, "listen")(listen)
command(app, "doctor")(doctor)
command(app, "settings")(settings)
app.add_typer(organizations.org, name="org")
app.add_typer(accounts.account, name="account")
app.add_typer(keys.key, name="key")
app.add_typer(contacts.contacts, name="contacts")
app.add_typer(wallet.wallet, name="wallet")
app.add_typer(wallet.prices, name="prices")
app.add_typer(limits.limits, name="limits")
app.add_typer(email_senders.email_sender, name="email-sender")
app.add_typer(numbers.number, name="number")
app.add_typer(instagram.instagram, name="instagram")
app.add_typer(push_apps.push_app, name="push-app")
app.add_typer(push_apps.quiet_hours, name="quiet-hours")
app.add_typer(encryption.encryption, name="encryption")


def main() -> None:
    """The entry point of `svc` and of `python -m cli`."""
    # What is imported stays; looking through it again and again took a tenth of a command's time.
    gc.set_threshold(50_000, 50, 100)
    app(prog_name="svc")
