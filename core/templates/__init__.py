"""Templates: written here, approved by the platform."""

from core.templates.change import change_template
from core.templates.create import create_template
from core.templates.delete import is_the_last_there, lock_deletable, remove, remove_there
from core.templates.errors import (
    TemplateInUse,
    TemplateUnavailable,
    TemplateVariableMismatch,
    UnknownTemplate,
)
from core.templates.inputs import NewTemplate, TemplateChanges, TemplateFilter
from core.templates.models import (
    ButtonKind,
    ComponentType,
    HeaderFormat,
    OtpKind,
    Template,
    TemplateCategory,
    TemplateLanguage,
    TemplateStatus,
)
from core.templates.notices import apply_notices
from core.templates.queries import get_template, list_templates
from core.templates.record import TemplatePage, TemplateRecord, template_record
from core.templates.review import BATCH_SIZE as REVIEW_BATCH
from core.templates.review import NEXT_REVIEW, review_templates
from core.templates.sending import TemplateForm, template_for_sending
from core.templates.submit import submit_template

__all__ = [
    "NEXT_REVIEW",
    "REVIEW_BATCH",
    "ButtonKind",
    "ComponentType",
    "HeaderFormat",
    "NewTemplate",
    "OtpKind",
    "Template",
    "TemplateCategory",
    "TemplateChanges",
    "TemplateFilter",
    "TemplateForm",
    "TemplateInUse",
    "TemplateLanguage",
    "TemplatePage",
    "TemplateRecord",
    "TemplateStatus",
    "TemplateUnavailable",
    "TemplateVariableMismatch",
    "UnknownTemplate",
    "apply_notices",
    "change_template",
    "create_template",
    "get_template",
    "is_the_last_there",
    "list_templates",
    "lock_deletable",
    "remove",
    "remove_there",
    "review_templates",
    "submit_template",
    "template_for_sending",
    "template_record",
]
