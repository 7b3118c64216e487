"""`svc --version`."""

import json
import platform

import typer


def show_version(*, as_json: bool) -> None:
    """Print the versions of the service and of Python."""
    from core.foundation.version import own_version

    versions = {"version": own_version(), "python": platform.python_version()}
    typer.echo(
        json.dumps(versions)
        if as_json
        else f"svc {versions['version']} (Python {versions['python']})"
    )
