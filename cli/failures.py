"""What a person reads when a command fails: one line that says what to do."""


class Failure(Exception):
    """A command cannot do what was asked; its text is the line to print."""


def in_one_line(error: Exception) -> str:
    """The failure in one line; a fault of ours is named as such."""
    return " ".join(_sentence(error).split())


def _sentence(error: Exception) -> str:
    import asyncpg
    import redis.exceptions

    from core.foundation.database.migration_runner import StillWaiting
    from core.foundation.errors import ServiceError
    from core.foundation.settings import SettingsError

    match error:
        case ServiceError():
            fields = "; ".join(f"{field.where}: {field.message}" for field in error.errors)
            return f"{error.detail} ({fields})" if fields else error.detail
        case Failure() | SettingsError() | StillWaiting():
            return str(error)
        case (
            ConnectionError()
            | FileNotFoundError(filename=None)
            | redis.exceptions.ConnectionError()
        ):
            return f"{error}: is the server running, and do DATABASE_URL and REDIS_URL name the right one?"
        case asyncpg.PostgresError():
            return f"the database answers: {error}"
        case OSError():
            return str(error)
        case _:
            return f"unexpected {type(error).__name__}: {error} (SVC_TRACEBACK=1 shows where)"
