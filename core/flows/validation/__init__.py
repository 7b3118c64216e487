"""Validation of a flow before it is published: errors, and warnings of what may be refused."""

from core.flows.validation.findings import FlowFinding, FlowReport
from core.flows.validation.validate import validate_flow_json

__all__ = ["FlowFinding", "FlowReport", "validate_flow_json"]
