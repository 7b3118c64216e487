"""Validation of a template's components: every defect at once, with its place."""
