"""
The house: its name, tables, money, clock, gaming day and settings, as rows.

Holds the models of a house (establishment, tables, versions of house rules, the change log), the
gaming day that each entry of the ledger belongs to (`gaming_day`), the house's clock, names and
order of tables (`table_names`), and how command lines name houses. It has no pages.
Uses `languages` and `engine`.
Begin with `models.Establishment`, then `gaming_day.enter`, which is called for every entry.
"""
