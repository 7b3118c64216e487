"""Programs that we start and that never outlive us, however we end."""
