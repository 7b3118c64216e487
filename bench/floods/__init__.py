"""Clients of a large customer that keep a process busy, each kind as a program: `python -m
bench.floods KIND JSON`.
"""
