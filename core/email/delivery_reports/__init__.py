"""Delivery reports on e-mail: bounces, complaints and deliveries, of live relays and the sandbox."""
