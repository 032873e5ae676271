"""The house's own Python and templates as JavaScript, for devices that go on alone (0041)."""
