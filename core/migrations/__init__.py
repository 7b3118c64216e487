"""The history of the database schema, in Tortoise's own migrations."""
