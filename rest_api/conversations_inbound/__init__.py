"""What people write to numbers and accounts, pretended in the sandbox."""
