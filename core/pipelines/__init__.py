"""Sales pipelines: their stages, the reasons for losing, and the deals on them."""
