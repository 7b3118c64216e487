"""Looking a flow through before it is published: everything that is wrong, and what the platform
may not like.
"""

from core.flows.validation.findings import Finding, FlowReport
from core.flows.validation.validate import validate_flow_json

__all__ = ["Finding", "FlowReport", "validate_flow_json"]
