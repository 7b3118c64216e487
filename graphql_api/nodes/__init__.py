"""Records of any kind by their id."""
