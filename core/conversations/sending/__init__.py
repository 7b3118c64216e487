"""The send path: a request is checked, what it names is resolved, and it is accepted as queued."""
