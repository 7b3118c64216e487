"""Notifications to the devices of apps."""
