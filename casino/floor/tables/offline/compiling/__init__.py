"""Compiles the house's Python and templates to JavaScript, for devices that go on alone (0041)."""
