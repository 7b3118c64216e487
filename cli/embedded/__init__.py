"""The PostgreSQL and the Redis that `svc dev` and the tests bring along."""
