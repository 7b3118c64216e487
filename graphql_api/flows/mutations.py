"""What can be done with flows, and a look through one."""

from core import flows
from core.flows.inputs import FlowJson
from core.foundation.security.caller import Scope
from core.read_models.flows import FLOW
from graphql_api.flows.schema import Flow, FlowValidation
from graphql_api.inputs import leave_as_json
from graphql_api.mutations import Deleted, mutation_field, mutation_type

WRITE = Scope.FLOWS_WRITE

# As it is read: a flow can be written back with its names and values untouched.
leave_as_json(FlowJson)


@mutation_type
class FlowMutations:
    create_flow: Flow | None = mutation_field(
        flows.create_flow,
        flows.NewFlow,
        scope=WRITE,
        answers=FLOW,
        description="Store a draft of a form, which may be unfinished.",
    )
    update_flow: Flow | None = mutation_field(
        flows.change_flow,
        flows.FlowChanges,
        scope=WRITE,
        answers=FLOW,
        ids=("id",),
        description=(
            "Change what is sent of a flow; of one in use, a new draft is made and answered."
        ),
    )
    publish_flow: Flow | None = mutation_field(
        flows.publish_flow,
        scope=WRITE,
        answers=FLOW,
        ids=("id",),
        description="Publish a draft for good: its content is final from then on.",
    )
    pause_flow: Flow | None = mutation_field(
        flows.pause_flow,
        scope=WRITE,
        answers=FLOW,
        ids=("id",),
        description="Keep an active flow from being sent.",
    )
    resume_flow: Flow | None = mutation_field(
        flows.resume_flow,
        scope=WRITE,
        answers=FLOW,
        ids=("id",),
        description="Let a paused flow be sent again.",
    )
    deprecate_flow: Flow | None = mutation_field(
        flows.deprecate_flow,
        scope=WRITE,
        answers=FLOW,
        ids=("id",),
        description="Take a published flow out of use for good.",
    )
    archive_flow: Flow | None = mutation_field(
        flows.archive_flow,
        scope=WRITE,
        answers=FLOW,
        ids=("id",),
        description="Put a draft or a deprecated flow away for good.",
    )
    delete_flow: Deleted | None = mutation_field(
        flows.delete_flow,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Delete a draft for good.",
    )


@mutation_type
class FlowValidations:
    flow_validation: FlowValidation | None = mutation_field(
        flows.validate_flow,
        scope=WRITE,
        ids=("id",),
        description="What keeps a flow from being published.",
        of="flow",
    )
