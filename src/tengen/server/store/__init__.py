"""Where matches are kept: SQLite or PostgreSQL. Start reading at `store`, then `journal` (group commit)."""
