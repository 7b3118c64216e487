"""The addresses that providers call back."""
