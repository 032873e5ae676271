"""How dates and numbers are written, by locale, where Django's own way is not the houses' way."""
