"""Django's backend for PostgreSQL, which checks kept connections by the socket, without a query."""
