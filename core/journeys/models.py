"""Journeys: what is to happen to a contact, step by step."""

from enum import StrEnum
from typing import Any

from tortoise import fields

from core.foundation.tenancy import OwnedModel


class JourneyStatus(StrEnum):
    DRAFT = "rascunho"
    ACTIVE = "ativa"
    PAUSED = "pausada"
    ARCHIVED = "arquivada"


class Journey(OwnedModel):
    """A journey with its graph of steps. The columns bear the interface's words where these are what is stored."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    status = fields.CharEnumField(JourneyStatus, max_length=10)
    gatilho: fields.Field[dict[str, Any]] = fields.JSONField()
    reentrada = fields.CharField(max_length=16)
    intervalo_reentrada_horas = fields.IntField(null=True)
    silencio: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    teto_de_frequencia: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    meta: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    passos: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    entrada_passo = fields.CharField(max_length=64, null=True)
    pausada_por: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    ativada_em = fields.DatetimeField(null=True)
    versao = fields.IntField(db_default=1)
    versao_de = fields.CharField(max_length=30, null=True)
    substituida_por = fields.CharField(max_length=30, null=True)
    entradas_encerradas = fields.BooleanField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "journeys"
        indexes = (("organization_id", "env", "created_at", "id"),)
