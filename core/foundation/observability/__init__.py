"""What the service tells of itself: metrics, logs and outages."""
