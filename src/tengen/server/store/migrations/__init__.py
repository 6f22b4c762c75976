"""The steps from every released schema to the present one, for Alembic; database.py runs them at start."""
