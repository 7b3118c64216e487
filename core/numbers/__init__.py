"""Numbers and Instagram accounts: where conversational messages leave from."""
