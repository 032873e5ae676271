"""
In whose words and whose figures something is shown: the reader's language, the house's locale.

`docs/reference/languages.md` says where each comes from and how a catalogue is made.
"""
