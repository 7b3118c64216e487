"""Companies and what their attributes may be."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import ExpressionIndex, WhereIndex
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class AttributeType(DescribedEnum, rest="CompanyAttributeType", graphql="CompanyAttributeType"):
    """The type of an attribute's values."""

    STRING = "string", "Text"
    NUMBER = "number", "A number"
    BOOLEAN = "boolean", "True or false"
    DATE = "date", "A day, as YYYY-MM-DD"


class Company(OwnedModel):
    """A company. The CNPJ is stored without mask, in upper case."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=200)
    cnpj = fields.CharField(max_length=14, null=True)
    sector = fields.CharField(max_length=120, null=True)
    site = fields.CharField(max_length=2048, null=True)
    address = fields.CharField(max_length=500, null=True)
    owner_id = fields.CharField(max_length=30, null=True)
    main_contact_id = fields.CharField(max_length=30, null=True)
    attributes: fields.Field[dict[str, Any]] = fields.JSONField()
    created_by_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "companies"
        indexes = (
            ExpressionIndex(
                parts=("organization_id", "env", "(svc_fold(name))", "id"),
                name="companies_by_name",
            ),
            ExpressionIndex(
                parts=("(svc_trigrams(svc_fold(name)))",),
                name="companies_search",
                using="GIN",
            ),
            ("organization_id", "env", "created_at", "id"),
            WhereIndex(
                fields=("organization_id", "env", "owner_id"),
                name="companies_by_owner",
                where="owner_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "main_contact_id"),
                name="companies_by_main_contact",
                where="main_contact_id IS NOT NULL",
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "cnpj"),
                name="companies_cnpj_key",
                condition="cnpj IS NOT NULL",
            ),
        )


class CompanyAttribute(OwnedModel):
    """The definition of one attribute; without any, every attribute is free."""

    id = fields.BigIntField(primary_key=True)
    key = fields.CharField(max_length=64)
    type = fields.CharEnumField(AttributeType, max_length=8)
    label = fields.CharField(max_length=120, null=True)
    required = fields.BooleanField()
    position = fields.IntField()

    class Meta:
        table = "company_attributes"
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "key"), name="company_attributes_once"
            ),
        )
