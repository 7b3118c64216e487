from tests.support.two_cells import second_database, south

__all__ = ["second_database", "south"]
