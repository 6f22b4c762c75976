"""Flood fills on a square board, for Go and Great Kingdom. A board is a string of letters, "." is empty."""

from functools import cache


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """The orthogonal neighbours of every cell."""
    result = []
    for cell in range(size * size):
        row, column = divmod(cell, size)
        steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        result.append(tuple(r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size))
    return tuple(result)


Chain = tuple[set[int], set[int]]


def chains(board: str, size: int, colours: str) -> dict[int, Chain]:
    """For every stone of these colours its chain: (stones, liberties). Stones of a chain share one value."""
    adjacent = neighbours(size)
    result: dict[int, Chain] = {}
    for start, colour in enumerate(board):
        if start in result or colour not in colours:
            continue
        chain: Chain = (set(), set())
        stones, liberties = chain
        stones.add(start)
        stack = [start]
        while stack:
            cell = stack.pop()
            result[cell] = chain
            for other in adjacent[cell]:
                letter = board[other]
                if letter == ".":
                    liberties.add(other)
                elif letter == colour and other not in stones:
                    stones.add(other)
                    stack.append(other)
    return result


def empty_regions(board: str, size: int) -> list[tuple[set[int], set[str]]]:
    """Every connected region of empty cells with the set of letters that border it."""
    adjacent = neighbours(size)
    result: list[tuple[set[int], set[str]]] = []
    done: set[int] = set()
    for start, colour in enumerate(board):
        if colour != "." or start in done:
            continue
        cells, borders = {start}, set()
        stack = [start]
        while stack:
            for other in adjacent[stack.pop()]:
                letter = board[other]
                if letter != ".":
                    borders.add(letter)
                elif other not in cells:
                    cells.add(other)
                    stack.append(other)
        done |= cells
        result.append((cells, borders))
    return result
