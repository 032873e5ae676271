"""
Languages and locales: texts are in the reader's language, figures and dates in the house's locale.

Holds translation, formats for numbers, money and dates, form fields that read them, and the tool
that makes the catalogues in `locale/` (`catalogues/`).
`names` has names that people type, and letters that look alike.
Uses no other room.
Begin with `reader` (which language), then `locales` (how figures and dates are written) and
`messages` (sentences of the rules in the reader's words). `docs/reference/languages.md` says where
each comes from and how a catalogue is made.
"""
