"""Who calls and what they may: callers, secrets and keys, masks of personal data, rate limits."""
