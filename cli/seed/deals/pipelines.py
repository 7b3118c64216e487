"""The pipelines of a seed: their stages, and why deals are lost there."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cli.seed.chunks import write_chunks
from cli.seed.copy_text import copy_text
from cli.seed.names import free_names
from cli.seed.run import Chunk, Run
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.pipelines.models import Outcome

AGE = timedelta(days=400)
"""How long the pipelines are there: longer than any deal on them."""


@dataclass(frozen=True, slots=True)
class PastStage:
    """A stage. `days`: how long deals lie in it; `passing`: the share of them that goes on from it."""

    name: str
    probability: int
    days: float = 0
    passing: float = 0
    max_days: int | None = None
    required: tuple[str, ...] = ()
    outcome: Outcome = Outcome.OPEN
    color: str | None = None


@dataclass(frozen=True, slots=True)
class PastReason:
    """A reason for losing. `share`: how often it is the one."""

    text: str
    share: int
    needs_note: bool = False
    active: bool = True


@dataclass(frozen=True, slots=True)
class PastPipeline:
    """A pipeline. `share`: of all deals; `typical`: what a deal is worth, in reais."""

    name: str
    description: str
    share: float
    typical: int
    products: tuple[str, ...]
    stages: tuple[PastStage, ...]
    reasons: tuple[PastReason, ...]

    @property
    def open_stages(self) -> int:
        """How many stages come before the ends."""
        return sum(stage.outcome is Outcome.OPEN for stage in self.stages)


WON = PastStage("Ganho", 100, outcome=Outcome.WON, color="#2e7d32")
LOST = PastStage("Perdido", 0, outcome=Outcome.LOST, color="#c62828")
REASONS = (
    PastReason("Preço", 35),
    PastReason("Concorrente", 20, needs_note=True),
    PastReason("Sem resposta", 25),
    PastReason("Sem orçamento neste ano", 15),
    PastReason("Cadastro duplicado", 5, active=False),
)

PIPELINES = (
    PastPipeline(
        "Vendas", "Da primeira conversa ao pedido", 0.6, 2_400,
        ("Plano Plus", "Plano Premium", "Kit de boas-vindas", "Assinatura anual", "Loja virtual"),
        (
            PastStage("Novo", 10, 3, 0.85, 7, color="#90a4ae"),
            PastStage("Qualificado", 30, 6, 0.72, 14, color="#64b5f6"),
            PastStage("Proposta", 60, 8, 0.68, 21, ("valor",), color="#ffb74d"),
            PastStage("Negociação", 80, 7, 0.66, 21, ("valor", "dataPrevista"), color="#ba68c8"),
            WON, LOST,
        ),
        REASONS,
    ),
    PastPipeline(
        "Contas corporativas", "Contratos de empresas, com prova de conceito", 0.25, 38_000,
        ("Contrato corporativo", "Integração", "Projeto sob medida", "Atendimento 24 horas"),
        (
            PastStage("Mapeamento", 5, 10, 0.8, 30, color="#90a4ae"),
            PastStage("Reunião", 20, 12, 0.7, 30, ("responsavel",), color="#64b5f6"),
            PastStage("Prova de conceito", 45, 25, 0.7, 60, ("responsavel",), color="#4db6ac"),
            PastStage("Proposta", 65, 15, 0.72, 45, ("valor", "responsavel"), color="#ffb74d"),
            PastStage("Jurídico", 85, 18, 0.82, 45, ("valor", "dataPrevista", "responsavel"), color="#ba68c8"),
            WON, LOST,
        ),
        (*REASONS[:4], PastReason("Reprovado pelo jurídico", 10, needs_note=True)),
    ),
    PastPipeline(
        "Renovações", "Contratos que vencem", 0.15, 9_500,
        ("Renovação anual", "Ampliação do contrato"),
        (
            PastStage("A vencer", 60, 20, 0.95, 45, color="#64b5f6"),
            PastStage("Em conversa", 80, 10, 0.85, 20, ("valor",), color="#ffb74d"),
            WON, LOST,
        ),
        REASONS[:3],
    ),
)  # fmt: skip

PIPELINE = (
    "id", "organization_id", "env", "name", "kind", "description", "currency", "position",
    "archived", "version",
    "created_by_id", "created_at", "updated_at",
)  # fmt: skip
STAGE = (
    "id", "organization_id", "env", "pipeline_id", "name", "position", "outcome", "probability",
    "max_days",
    "required_fields", "color",
)  # fmt: skip
REASON = ("id", "organization_id", "env", "pipeline_id", "text", "active", "needs_note", "position")


@dataclass(frozen=True, slots=True)
class IdentifiedPipeline:
    """A pipeline with the ids of itself, its stages and its reasons, in their order."""

    id: str
    plan: PastPipeline
    stages: list[str]
    reasons: list[str]


def named_pipelines(run: Run) -> list[IdentifiedPipeline]:
    """The pipelines as this run knows them."""
    stages = iter(
        run.ids("etp", "stages", Chunk(0, 0, sum(len(plan.stages) for plan in PIPELINES)))
    )
    reasons = iter(
        run.ids("mot", "reasons", Chunk(0, 0, sum(len(plan.reasons) for plan in PIPELINES)))
    )
    return [
        IdentifiedPipeline(
            id, plan, [next(stages) for _ in plan.stages], [next(reasons) for _ in plan.reasons]
        )
        for id, plan in zip(
            run.ids("pip", "pipelines", Chunk(0, 0, len(PIPELINES))), PIPELINES, strict=True
        )
    ]


async def write_pipelines(run: Run, count: int) -> dict[str, int]:
    """Write the pipelines with their stages and reasons; answers how many are new."""
    run.caller.require(Scope.CRM_WRITE)
    at = run.as_of - AGE
    written = 0

    async def write(made: list[IdentifiedPipeline]) -> None:
        nonlocal written
        names = await free_names(run, "pipelines", [one.plan.name for one in made])
        behind = await db.fetchval(BEHIND, *run.owner)
        pipelines: list[tuple[Any, ...]] = []
        stages: list[tuple[Any, ...]] = []
        reasons: list[tuple[Any, ...]] = []
        for place, (one, name) in enumerate(zip(made, names, strict=True)):
            plan, by = one.plan, run.team.first.id
            pipelines.append(
                (
                    one.id,
                    *run.owner,
                    name,
                    "vendas",
                    plan.description,
                    "BRL",
                    behind + place,
                    False,
                    1,
                    by,
                    at,
                    at,
                )
            )
            stages += [
                (
                    id, *run.owner, one.id, stage.name, position, stage.outcome.value,
                    stage.probability,
                    stage.max_days, list(stage.required), stage.color,
                )
                for position, (id, stage) in enumerate(zip(one.stages, plan.stages, strict=True))
            ]  # fmt: skip
            reasons += [
                (id, *run.owner, one.id, reason.text, reason.active, reason.needs_note, position)
                for position, (id, reason) in enumerate(zip(one.reasons, plan.reasons, strict=True))
            ]
        await db.copy_in("pipelines", PIPELINE, copy_text(pipelines))
        await db.copy_in("pipeline_stages", STAGE, copy_text(stages))
        await db.copy_in("lost_reasons", REASON, copy_text(reasons))
        written += len(made)

    await write_chunks(
        run,
        "pipelines",
        count,
        table="pipelines",
        prefix="pip",
        make=lambda _: named_pipelines(run),
        write=write,
    )
    return {"pipelines": written}


BEHIND = (
    "SELECT coalesce(max(position) + 1, 0) FROM pipelines WHERE organization_id = $1 AND env = $2"
)
