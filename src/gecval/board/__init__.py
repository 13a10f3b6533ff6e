"""The board: benchmark a system's output on the same sentences as everyone else.

    web/, cli      pages, API, commands          who asks, and how an answer looks
      │
    access         who may see and do what       the one place that decides
      │
    accounts, benchmarks, submissions, leaderboard, campaigns ...     one subject each
      │
    queue ──► worker ──► scoring                 a job is a row; scoring calls the studies of gecval
      │
    database/      tables, sessions, migrations  SQLite in a folder, or PostgreSQL

The board adds no scoring and no statistics of its own. It needs the extra ``gecval[board]``.
"""
