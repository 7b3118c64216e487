"""What the tests of log-ins share."""

from tests.support.log_ins import at_once

__all__ = ["at_once"]
