"""Formats of dates and numbers, for the locales where Django's own do not suit the houses."""
