"""Numbers over HTTP."""
