"""RCS over HTTP."""
