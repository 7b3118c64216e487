"""What every measurement shares: servers, processes, cores, load, and how results are shown."""
