"""The project's own measurements. Each stands in its own file and is run by `python -m bench NAME`."""
