"""Position text and letters: rows joined by "/", numbers for runs of empty cells."""

import re


def unpack(text: str) -> str:
    """Position text to letters, row by row."""
    return re.sub(r"\d+", lambda run: "." * int(run[0]), text).replace("/", "")


def pack(board: str, width: int) -> str:
    """Letters to position text."""
    rows = (board[start : start + width] for start in range(0, len(board), width))
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
