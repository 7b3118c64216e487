"""Templates: written here, approved by the platform."""
