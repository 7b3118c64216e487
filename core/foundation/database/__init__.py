"""PostgreSQL: connections, transactions, tenancy, schema, pages, availability."""
