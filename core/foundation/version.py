"""The version of the service."""

from importlib import metadata


def own_version() -> str:
    """The version of the installed package; `unknown` where the code runs without having been
    installed.
    """
    try:
        return metadata.version("svc-messaging")
    except metadata.PackageNotFoundError:
        return "unknown"
