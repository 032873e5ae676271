"""Names that people may type, look-alike letters, and how bytes and ids are spelled."""
