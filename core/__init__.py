"""The service: its rules, its records and its use cases. The entry points around it only translate."""
