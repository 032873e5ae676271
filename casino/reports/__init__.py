"""Reports: one module each, a query and its columns."""
