"""Pictures of every page, for people who look: ``python -m tests.pictures``."""
