"""The least that a job can cost with the same tools: what the service is compared with."""
