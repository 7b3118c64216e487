"""Interface, Errors: the table of codes, and the refinements that travel in `meta` or with a field."""

STATUSES: dict[str, set[int]] = {
    "BAD_REQUEST": {400, 408, 413, 415, 416, 431},
    "UNAUTHORIZED": {401},
    "PAYMENT_REQUIRED": {402},
    "FORBIDDEN": {403},
    "NOT_FOUND": {404},
    "METHOD_NOT_ALLOWED": {405},
    "CONFLICT": {409, 410},
    "PRECONDITION_FAILED": {412},
    "VALIDATION_ERROR": {422},
    "RATE_LIMITED": {429},
    "INTERNAL": {500},
    "DEPENDENCY_FAILED": {502},
    "SERVICE_UNAVAILABLE": {503},
}

REFINEMENTS: dict[str, int] = {
    "CNPJ_JA_CADASTRADO": 409,
    "VINCULO_INVALIDO": 422,
    "PROPRIEDADE_SENSIVEL_EM_USO": 409,
    "TIPO_AINDA_NAO_DISPONIVEL": 422,
    "CAMPO_DESCONHECIDO": 422,
    "MOTIVOS_SEM_ETAPA_DE_PERDA": 409,
    "MOTIVO_VAZIO": 422,
    "DATA_DO_CONSENTIMENTO_NO_FUTURO": 422,
    "opt_out": 422,
}
"""Those that the interface itself spells out; whatever the catalogue knows beside them has rows
too.
"""

OF_DOMAINS_TO_COME = {
    "CNPJ_JA_CADASTRADO": "/v2/companies",
    "PROPRIEDADE_SENSIVEL_EM_USO": "/v2/organizations/me/company-attribute-defs",
    "TIPO_AINDA_NAO_DISPONIVEL": "/pipelines",
    "CAMPO_DESCONHECIDO": "/pipelines",
    "MOTIVOS_SEM_ETAPA_DE_PERDA": "/pipelines",
    "MOTIVO_VAZIO": "/pipelines",
}
"""The address without which a refinement cannot happen; once it is registered, a row is owed."""
