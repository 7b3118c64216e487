"""The companies that contacts work for and deals are made with."""
