"""E-mail: letters, their senders, and what became of them."""
