"""
Who is refused a seat: excluded players, until when and why, and who tried to sit down (P1).

Holds excluding, readmitting, checking a seat against names that read alike, the lists of both, and
their API. The office's page of excluded players is in `players`.
Uses `operations`, `attendants`, `establishments`, `pseudonyms`, `platform`, `web`.
Begin with `operations.checked`, which opening and joining a game ask; then `operations.exclude`.
"""
