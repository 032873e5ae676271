"""
More servers than one: `replicas` to read from, `distribution` by house, `partitions` of the ledger.

A house on one server meets none of it.
"""
