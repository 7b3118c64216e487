"""Validation of a flow before it is published: errors, and warnings of what may be refused."""

from core.flows.validation.findings import FlowFinding, FlowReport, ValidationRecord
from core.flows.validation.validate import validate_flow_json

__all__ = ["FlowFinding", "FlowReport", "ValidationRecord", "validate_flow_json"]
