"""Why a server that we bring along does not start."""

from cli.failures import Failure


class EmbeddedServerError(Failure):
    """The server cannot be started; one line says why and what to do."""


class FolderInUse(EmbeddedServerError):
    """Another process works with this folder."""
