"""The service: its rules, its records and its deeds. The doors around it only translate."""
