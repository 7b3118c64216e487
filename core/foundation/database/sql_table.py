"""Tables whose rows SQL alone touches: queues, counts, logs, what hot paths write in batches."""

from tortoise.models import Model


class _Refused:
    """What a model answers elsewhere. `object` cannot be called: mypy refuses what this refuses."""

    def __get__(self, row: Model | None, table: type[Model]) -> object:
        raise TypeError(f"rows of {table.__name__} are touched by SQL alone: see its docstring")


class SqlTable(Model):
    """A table that is declared for the migrations and the catalogue, and answers no query.

    Why no row of it is worked with by itself says the docstring of each: `SQL alone: …`
    (decision 19).
    """

    all = filter = exclude = annotate = _Refused()  # type: ignore[assignment]
    get = get_or_none = first = last = earliest = latest = _Refused()  # type: ignore[assignment]
    exists = in_bulk = raw = select_for_update = _Refused()  # type: ignore[assignment]
    create = get_or_create = update_or_create = _Refused()  # type: ignore[assignment]
    bulk_create = bulk_update = _Refused()  # type: ignore[assignment]
    refresh_from_db = fetch_related = fetch_for_list = _Refused()  # type: ignore[assignment]
    save = delete = _Refused()  # type: ignore[assignment]

    class Meta:
        abstract = True
