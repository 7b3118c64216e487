"""SMPP 3.4: the entry point of customers' clients, as thin as that of REST."""
