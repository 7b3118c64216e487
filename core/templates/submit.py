"""Use case: submit a template for approval; a worker hands it to the platform."""

from datetime import timedelta

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.providers import registry
from core.templates.checks import locked_template
from core.templates.errors import FlowNotUsable, NoTemplatePlatform, TemplateStatusConflict
from core.templates.models import TemplateStatus
from core.templates.record import TemplateRecord, template_record
from core.templates.sending import flows_in, usable_flows


async def submit_template(caller: Caller, id: str) -> TemplateRecord:
    """Submit a draft; answers the record, in `submitted`. The decision comes as an event.

    In the sandbox it comes by itself after the sandbox's delay. Raises NotFound, TemplateStatusConflict,
    FlowNotUsable and, for a live template while no platform is configured, NoTemplatePlatform.
    """
    caller.require(Scope.TEMPLATES_WRITE)
    refuse_dry_run()
    at = now()
    live = caller.env == "live"
    async with transaction():
        found = await locked_template(caller, id)
        if found.status is not TemplateStatus.DRAFT:
            raise TemplateStatusConflict(
                "Only a draft can be submitted; change a rejected template first.", found.status
            )
        flows = flows_in(found.components)
        if flows and len(await usable_flows(caller, found.number_id, flows)) < len(flows):
            raise FlowNotUsable
        if live and registry.for_conversations() is None:
            raise NoTemplatePlatform
        found.status = TemplateStatus.SUBMITTED
        found.rejection_reason = None
        found.due_at = at if live else at + timedelta(seconds=current().sandbox_delay_seconds)
        found.updated_at = at
        await found.save(update_fields=["status", "rejection_reason", "due_at", "updated_at"])
        await audit.write_entry(caller, "template.submitted", id, {"version": found.version}, at=at)
        await wake(Job.REVIEW_TEMPLATES)
    return template_record(found)
