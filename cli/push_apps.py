"""`svc push-app` and `svc quiet-hours`: the apps that are notified, and when they are not."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

push_app = typer.Typer(help="Apps whose devices are notified.", no_args_is_help=True)
quiet_hours = typer.Typer(help="Hours in which nobody is to be disturbed.", no_args_is_help=True)


def _file(what: str) -> Any:
    return typer.Option(exists=True, dir_okay=False, readable=True, help=what)


async def create_app(
    app_id: Annotated[str, typer.Argument(help="The id that the app registers its devices with.")],
    *,
    org: Org,
    env: Environment,
    name: Annotated[str | None, typer.Option(help="What people call it.")] = None,
    web_contact: Annotated[
        str | None,
        typer.Option(
            help="For browsers: mailto: or https, for their push services. Keys are made."
        ),
    ] = None,
    fcm_file: Annotated[Path | None, _file("The service account of Firebase (JSON).")] = None,
    apns_file: Annotated[Path | None, _file("Apple's key (.p8).")] = None,
    apns_key_id: Annotated[str | None, typer.Option(help="Of Apple's key.")] = None,
    apns_team_id: Annotated[str | None, typer.Option(help="Of Apple's key.")] = None,
    apns_bundle_id: Annotated[str | None, typer.Option(help="Of the app at Apple.")] = None,
    apns_sandbox: Annotated[bool, typer.Option(help="Apple's development environment.")] = False,
) -> Record:
    """Register an app: each way in which its devices are notified needs its credentials."""
    from core import push
    from core.foundation.security.caller import system_caller

    apns = apns_file and {
        "keyId": apns_key_id or "",
        "teamId": apns_team_id or "",
        "bundleId": apns_bundle_id or "",
        "privateKey": apns_file.read_text(encoding="utf-8"),
        "sandbox": apns_sandbox,
    }
    new = given(
        push.NewApp,
        appId=app_id,
        name=name,
        fcm=fcm_file and _service_account(fcm_file),
        apns=apns,
        web=web_contact and {"contact": web_contact},
    )
    async with database(org):
        return await push.create_app(system_caller(org, env), new)


async def list_apps(*, org: Org, env: Environment) -> Record:
    """The apps of an organization in one environment; credentials are never shown."""
    from core import push
    from core.foundation.security.caller import system_caller

    async with database(org):
        return dict(await push.list_apps(system_caller(org, env)))


async def set_quiet_hours(
    *,
    org: Org,
    env: Environment,
    start: Annotated[str, typer.Option(help="Wall clock, such as 22:00.")],
    end: Annotated[
        str, typer.Option(help="Wall clock, such as 08:00; before the start: of the next day.")
    ],
    timezone: Annotated[str, typer.Option(help="IANA zone, such as America/Sao_Paulo.")],
) -> Record:
    """Notify nobody in these hours, every day: what falls into them waits for their end. Data alone
    pass.
    """
    from core import push
    from core.foundation.security.caller import system_caller

    window = {"inicio": start, "fim": end, "fuso": timezone}
    new = given(push.PushSettings, janelaSilencio=window, excecoes=["silent"])
    async with database(org):
        return await push.put_settings(system_caller(org, env), new)


async def clear_quiet_hours(*, org: Org, env: Environment) -> Record:
    """There are no quiet hours any more."""
    from core import push
    from core.foundation.security.caller import system_caller

    async with database(org):
        return await push.put_settings(
            system_caller(org, env), push.PushSettings(janela_silencio=None)
        )


def _service_account(file: Path) -> dict[str, Any]:
    """What we need of Google's file."""
    try:
        account = json.loads(file.read_text(encoding="utf-8"))
        return {
            "projectId": account["project_id"],
            "clientEmail": account["client_email"],
            "privateKey": account["private_key"],
        }
    except (ValueError, KeyError, TypeError):
        raise typer.BadParameter(
            "this is not the JSON file of a service account", param_hint="--fcm-file"
        ) from None


command(push_app, "create")(create_app)
command(push_app, "list")(list_apps)
command(quiet_hours, "set")(set_quiet_hours)
command(quiet_hours, "clear")(clear_quiet_hours)
