"""Django's backend for PostgreSQL, whose connections are looked at before they are asked."""
