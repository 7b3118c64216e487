"""Looking a flow through before it is published: everything that is wrong, and what the platform
may not like.
"""

from core.flows.validation.findings import Finding, Report
from core.flows.validation.look import look_through

__all__ = ["Finding", "Report", "look_through"]
