"""
Exclusions: players who are refused a seat, until when and why, and who tried to sit down (P1).

Holds excluding and readmitting players, checking seats (also for names that read alike), the lists
of exclusions and refused seats, and their API. The office's page of excluded players is in
`players`.
Uses `operations`, `attendants`, `establishments`, `pseudonyms`, `platform`, `web`.
Begin with `operations.check_seats`, which is called when a game is opened or joined; then
`operations.exclude`.
"""
