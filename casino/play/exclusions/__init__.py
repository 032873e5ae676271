"""
Exclusions: players who are refused a seat, until when and why, and who tried to sit down (P1); and
limits of what a player may pay in.

Holds excluding and readmitting players, by the house or by themselves, checking seats (also for
names that read alike), limits (`limits`), the lists of exclusions, refused seats and limits, and
their API. The office's page of excluded players is in a room above.
Uses `acts`, `attendants`, `establishments`, `pseudonyms`, `engine`, `web`.
Begin with `operations.check_seats`, which is called when a game is opened or joined; then
`operations.exclude`.
"""
