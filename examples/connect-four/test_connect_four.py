from connect_four import ConnectFour

from tengen.testing import check_game


def test_it_keeps_the_contract() -> None:
    check_game(ConnectFour())
    check_game(ConnectFour(width=4, height=5))


def test_four_in_a_row_win() -> None:
    state = ConnectFour().start()
    for column in (0, 6, 1, 6, 2, 6, 3):
        state = state.play(column)
    assert state.outcome is not None and state.outcome.winner == 0
