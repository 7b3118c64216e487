"""`svc smpp-link`: the gateway protocol of the service on one side, operators' SMSCs on the other."""
