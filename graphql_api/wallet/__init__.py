"""The wallet in the schema: what can be done with it; its balance is read with `me`."""
