"""
A chain: houses that belong together, and the people who look after all of them.

Holds who works for a chain (`models.ChainMember`), which houses belong to it (`models.ChainHouse`),
the summary of each house that workers keep (`summaries`), its pages, settings that are rolled out
to many houses (`roll_outs`), registers over houses, and dice sets that move between houses. A chain
has a ledger of its own, under its own id (`operations`).
Uses `configuration`, `dice`, `gaming_days`, `signing`, `verification`, `jobs`, `registers`, `web`.
Begin with `models`, then `summaries` and `pages`. See `docs/decisions/0086-chain-of-houses.md`.
"""
