"""The protocol itself: PDUs, parameters, times, texts, parts and receipts. It knows no account and no message."""
