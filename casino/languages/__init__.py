"""
In whose words and whose figures something is shown: the reader's language, the house's locale.

Holds translation, number, money and date formats, form fields that read them, and the making of
the catalogues in `locale/` (`catalogues/`).
Uses no other room.
Begin with `reader` (which language), then `locales` (how figures and dates are written) and
`messages` (sentences of the rules in the reader's words). `docs/reference/languages.md` says where
each comes from and how a catalogue is made.
"""
