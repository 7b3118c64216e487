"""Exports over HTTP."""
