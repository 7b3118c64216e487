"""Where PostgreSQL and Redis are, and what is asked of them."""

from pydantic import Field, field_validator

from core.foundation.settings.group import SettingsGroup, empty_is_unset


class DatabaseSettings(SettingsGroup):
    """Where PostgreSQL and Redis are, and what is asked of them."""

    database_url: str = Field(
        repr=False,
        validation_alias="DATABASE_URL",
        description=(
            "PostgreSQL: postgresql://user:password@host:port/name, of several servers "
            "host1:port1,host2:port2"
        ),
    )
    redis_url: str = Field(
        repr=False,
        validation_alias="REDIS_URL",
        description=(
            "Redis: redis://host:port/0, unix:///path/redis.sock or "
            "redis+sentinel://host1,host2/0?service=name"
        ),
    )
    database_pool: int = Field(
        default=10,
        ge=2,
        le=200,
        validation_alias="SVC_DATABASE_POOL",
        description=(
            "Largest number of PostgreSQL connections of one process for all work but the heavy"
        ),
    )
    planned_database_url: str | None = Field(
        default=None,
        repr=False,
        validation_alias="SVC_PLANNED_DATABASE_URL",
        description=(
            "Behind PgBouncer: the same database by the name whose plans are kept; "
            "default: DATABASE_URL"
        ),
    )
    heavy_pool: int = Field(
        default=6,
        ge=2,
        le=200,
        validation_alias="SVC_HEAVY_POOL",
        description=(
            "Connections of one process, besides SVC_DATABASE_POOL, for dashboards, "
            "lists, exports and imports"
        ),
    )
    heavy_places: int = Field(
        default=2,
        ge=1,
        le=200,
        validation_alias="SVC_HEAVY_PLACES",
        description=(
            "How many of SVC_HEAVY_POOL one organization uses at once in a process; "
            "fewer than all of them"
        ),
    )
    heavy_statement_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_HEAVY_STATEMENT_SECONDS",
        description=(
            "Seconds that one statement may take in PostgreSQL on a connection of SVC_HEAVY_POOL"
        ),
    )
    heavy_database_url: str | None = Field(
        default=None,
        repr=False,
        validation_alias="SVC_HEAVY_DATABASE_URL",
        description=(
            "Behind PgBouncer: the same database by the name for SVC_HEAVY_POOL; "
            "default: DATABASE_URL"
        ),
    )
    statement_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_STATEMENT_SECONDS",
        description=(
            "Seconds that one statement may take in PostgreSQL; 5 more without its "
            "answer: it counts as silent"
        ),
    )
    lock_seconds: float = Field(
        default=15.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_LOCK_SECONDS",
        description=(
            "Seconds that a statement waits for a lock; longer than SVC_IDLE_TRANSACTION_SECONDS"
        ),
    )
    idle_transaction_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_IDLE_TRANSACTION_SECONDS",
        description=(
            "Seconds of silence after which PostgreSQL undoes a transaction: its process froze"
        ),
    )
    pool_wait_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_POOL_WAIT_SECONDS",
        description=(
            "Seconds that work waits for a connection while all of SVC_DATABASE_POOL are in use"
        ),
    )

    _unset_of_database = field_validator(
        "planned_database_url", "heavy_database_url", mode="before"
    )(empty_is_unset)
