"""What customers did outside messaging, attributed to the last message that touched them."""
