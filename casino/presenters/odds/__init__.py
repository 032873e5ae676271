"""What a game tells of its odds: questions, and answers as tables. Asked by `casino.odds`."""
