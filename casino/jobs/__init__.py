"""
Long work that is kept in a row and brought on piece by piece: resumable jobs, their progress.

Holds the one model of them (`models.Job`), how they are begun, stopped and begun anew, brought on
by whichever worker is there and woken when one was killed (`running`, `tasks`), and the page of all
of a house. What a job does, and what it comes to, is of the room that asks for it: each has a proxy
of the model, which names its `kinds.Kind`. What a piece comes to and where the job stands are
recorded in one transaction.
Uses `attendants`, `establishments`, `platform`, `web`.
Begin with `kinds.Kind`, then `running.begin` and `running.advance`. See
`docs/decisions/0075-one-model-of-resumable-jobs.md`.
"""
