"""The record of a journey."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.journeys.graph import Step, in_order


def list_item(row: db.Row) -> dict[str, Any]:
    """A journey without its graph. `row` has, beside the columns, `list_name`, `list_size` and
    `segment_name`; the outline of its steps will do.
    """
    steps, entry, goal = row["steps"], row["entry_step_id"], row["goal"]
    record = {
        "id": row["id"],
        "name": row["name"],
        "status": row["status"],
        "gatilho": row["trigger"],
        "reentrada": row["reentry"],
        "intervaloReentradaHoras": row["reentry_hours"],
        "execucoes": no_runs(),
        "pausadaPor": row["paused_by"],
        "ativadaEm": _time(row["activated_at"]),
        "silencio": row["quiet"],
        "tetoDeFrequencia": row["frequency_cap"],
        "meta": goal,
        "versao": row["version"],
        "versaoDe": row["version_of"],
        "substituidaPor": row["replaced_by_id"],
        "entradasEncerradas": row["entries_ended"],
        "createdAt": _time(row["created_at"]),
        "updatedAt": _time(row["updated_at"]),
        "canais": channels_of(steps, entry),
        "fluxo": flow_of(steps, entry),
        "metaEvento": goal["evento"] if goal else None,
        "lista": {"nome": row["list_name"], "tamanho": row["list_size"]}
        if row["list_name"] is not None
        else None,
        "segmento": {"nome": row["segment_name"]} if row["segment_name"] is not None else None,
    }
    return {name: value for name, value in record.items() if value is not None}


def graph_of(row: db.Row) -> dict[str, Any]:
    """What the single read adds."""
    graph = {
        "passos": row["steps"],
        "entradaPasso": row["entry_step_id"],
        "metricasPorPasso": untouched(row["steps"]),
    }
    return {name: value for name, value in graph.items() if value is not None}


def channels_of(steps: Sequence[Step], entry: str | None) -> list[str]:
    """The channels that a journey sends on, each once, in the order of a run."""
    return list(
        dict.fromkeys(
            step["config"]["canal"] for step in _run(steps, entry) if step["tipo"] == "mensagem"
        )
    )


def flow_of(steps: Sequence[Step], entry: str | None) -> list[str]:
    """The kinds of the steps, in the order of a run."""
    return [step["tipo"] for step in _run(steps, entry)]


def no_runs() -> dict[str, int]:
    """How many runs there are in each state: journeys are stored and do not run yet."""
    return {"ativa": 0, "concluida": 0, "cancelada": 0, "erro": 0}


def untouched(steps: Sequence[Step]) -> dict[str, dict[str, int]]:
    """The figures of each step: no run has come to any."""
    return {
        step["id"]: {"entraram": 0, "aguardando": 0, "concluiram": 0, "erros": 0} for step in steps
    }


def _run(steps: Sequence[Step], entry: str | None) -> list[Mapping[str, Any]]:
    by_id = {step["id"]: step for step in steps}
    return [by_id[id] for id in in_order(steps, entry)]


def _time(at: Any) -> str | None:
    return None if at is None else wire_time(at)
