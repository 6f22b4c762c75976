#include "games/go/playout.hpp"

namespace tengen {

template <int Max>
void GoPlayout<Max>::run(Colour first, Point last) {
  const int cells = board_.size() * board_.size();
  for (int cell = 0; cell < cells; ++cell) {
    const Point p = board_.point(cell);
    if (board_.head(p) == p) note_atari(p);
  }
  last_ = last;
  Colour c = first;
  int passes = 0;
  // Games end long before this limit; only rare cycles of captures would go on.
  for (int made = 0; passes < 2 && made < 3 * cells; ++made) {
    last_ = choose(c);
    if (last_ == Board::kNone) {
      ++passes;
      board_.clear_ko();
    } else {
      passes = 0;
      place(last_, c);
    }
    c = Board::other(c);
  }
}

template <int Max>
void GoPlayout<Max>::place(Point p, Colour c) {
  board_.place(p, c);
  if (first_at_[p] == Board::kEmpty) first_at_[p] = c;
  note_atari(p);
  Board::beside(p, [&](std::size_t q) {
    if (board_.at(static_cast<int>(q)) == Board::other(c)) note_atari(static_cast<Point>(q));
  });
}

template <int Max>
void GoPlayout<Max>::note_atari(Point stone) {
  if (atari_count_ < ataris_.size() && board_.in_atari(stone)) ataris_[atari_count_++] = stone;
}

template <int Max>
typename GoPlayout<Max>::Point GoPlayout<Max>::choose(Colour c) {
  count_ = 0;
  if (last_ != Board::kNone) {
    // Before half the board is full hardly any small space is closed.
    if (2 * board_.empty_count() < board_.size() * board_.size() && roll(kNakade)) seek_nakade(c);
    if (count_ == 0 && roll(kAtari)) seek_atari(c);
    if (count_ == 0 && roll(kTwo)) seek_two(c);
    if (count_ == 0 && roll(kShape)) seek_shape(c);
  }
  if (count_ == 0 && atari_count_ > 0 && roll(kCapture)) seek_capture(c);
  return count_ > 0 ? pick() : any(c);
}

template <int Max>
typename GoPlayout<Max>::Point GoPlayout<Max>::vital_point(Point start, Colour owner) const {
  constexpr int kLargest = 6;
  std::array<Point, kLargest> space;
  space[0] = start;
  int size = 1;
  for (int i = 0; i < size; ++i) {
    const Point p = space[static_cast<std::size_t>(i)];
    // The edge counts as owner's, so what is missing to four are the other side's stones.
    if (board_.empty_beside(p) + board_.own_beside(p, owner) != 4) return Board::kNone;
    bool too_large = false;
    Board::beside(p, [&](std::size_t q) {
      if (board_.at(static_cast<int>(q)) != Board::kEmpty) return;
      for (int j = 0; j < size; ++j)
        if (space[static_cast<std::size_t>(j)] == q) return;
      if (size == kLargest)
        too_large = true;
      else
        space[static_cast<std::size_t>(size++)] = static_cast<Point>(q);
    });
    if (too_large) return Board::kNone;
  }
  if (size < 3) return Board::kNone;
  Point best = Board::kNone;
  int most = 0;
  int equals = 0;
  int leaves = 0;
  for (int i = 0; i < size; ++i) {
    const Point p = space[static_cast<std::size_t>(i)];
    const int inside = board_.empty_beside(p);
    leaves += inside == 1;
    if (inside > most) {
      most = inside;
      best = p;
      equals = 1;
    } else {
      equals += inside == most;
    }
  }
  // Three in any shape, the T of four, the cross and the bulky five, the rabbity six: their vital point is
  // the only one with the most neighbours inside. Other spaces of up to six live or die without it.
  if (equals != 1) return Board::kNone;
  const bool decides = size == 3 || (size == 4 && most == 3) || (size == 5 && (most == 4 || leaves == 1)) ||
                       (size == 6 && most == 4 && leaves == 2);
  return decides ? best : Board::kNone;
}

template <int Max>
void GoPlayout<Max>::seek_nakade(Colour c) {
  const Colour enemy = Board::other(c);
  Board::beside(last_, [&](std::size_t q) {
    const auto p = static_cast<Point>(q);
    const int inside = board_.empty_beside(p);
    if (board_.at(p) != Board::kEmpty || inside == 0 || inside > 2) return;
    if (inside + board_.own_beside(p, enemy) != 4) return;
    const Point vital = vital_point(p, enemy);
    if (vital != Board::kNone && is_playable(vital, c)) add(vital);
  });
}

template <int Max>
void GoPlayout<Max>::seek_atari(Colour c) {
  const Colour enemy = Board::other(c);
  if (board_.at(last_) == enemy && board_.in_atari(last_)) {
    const Point p = board_.last_liberty(last_);
    if (is_playable(p, c)) add(p);
  }
  Points saved;  // heads of chains already looked at
  Board::beside(last_, [&](std::size_t q) {
    const auto stone = static_cast<int>(q);
    if (board_.at(stone) != c || !board_.in_atari(stone) || saved.has(board_.head(stone))) return;
    saved.add(board_.head(stone));
    const Point out = board_.last_liberty(stone);
    if (is_playable(out, c) && Tactics::liberties_after(board_, out, c, 2) >= 2) add(out);
    int at = stone;
    do {
      Board::beside(at, [&](std::size_t r) {
        const auto other = static_cast<int>(r);
        if (board_.at(other) != enemy || !board_.in_atari(other)) return;
        const Point p = board_.last_liberty(other);
        if (p != out && is_playable(p, c)) add(p);
      });
      at = board_.next(at);
    } while (at != stone);
  });
}

template <int Max>
void GoPlayout<Max>::seek_two(Colour c) {
  attack_two(c, last_);
  Points heads;  // of the chains looked at
  Board::beside(last_, [&](std::size_t q) {
    const auto stone = static_cast<int>(q);
    if (board_.at(stone) != c || heads.has(board_.head(stone))) return;
    heads.add(board_.head(stone));
    defend_two(c, stone);
  });
}

// Put an enemy chain in atari where running then leaves it in atari still.
template <int Max>
void GoPlayout<Max>::attack_two(Colour c, int stone) {
  Points liberties;
  if (!Tactics::has_two(board_, stone, liberties)) return;
  for (int i = 0; i < 2; ++i) {
    const Point p = liberties[i];
    const Point out = liberties[1 - i];
    if (board_.empty_beside(out) > 2 || !is_playable(p, c)) continue;
    // What it would have after running counts p, which will be ours.
    if (Tactics::liberties_after(board_, out, Board::other(c), 3) <= 2 &&
        !Tactics::is_self_atari(board_, p, c))
      add(p);
  }
}

// Take a chain of ours to three liberties where the enemy's atari would leave it no more than two.
template <int Max>
void GoPlayout<Max>::defend_two(Colour c, int stone) {
  Points liberties;
  if (!Tactics::has_two(board_, stone, liberties)) return;
  for (int i = 0; i < 2; ++i) {
    const Point p = liberties[i];
    const Point out = liberties[1 - i];
    if (board_.empty_beside(out) > 2 || Tactics::liberties_after(board_, out, c, 4) > 3) continue;
    if (is_playable(p, c) && Tactics::liberties_after(board_, p, c, 3) >= 3) add(p);
  }
}

template <int Max>
void GoPlayout<Max>::seek_shape(Colour c) {
  constexpr int kStride = Board::kStride;
  for (const int step : {-kStride - 1, -kStride, -kStride + 1, -1, 1, kStride - 1, kStride, kStride + 1}) {
    const int p = last_ + step;
    const auto point = static_cast<Point>(p);
    if (board_.at(p) != Board::kEmpty || !shapes_[go_shape(board_, p)]) continue;
    if (is_playable(point, c) && !Tactics::is_bad_self_atari(board_, point, c)) add(point);
  }
}

template <int Max>
void GoPlayout<Max>::seek_capture(Colour c) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < atari_count_; ++i) {
    const Point stone = ataris_[i];
    if (board_.at(stone) == Board::kEmpty || !board_.in_atari(stone)) continue;
    ataris_[kept++] = stone;
    const Point p = board_.last_liberty(stone);
    if (board_.at(stone) != c && is_playable(p, c)) add(p);
  }
  atari_count_ = kept;
}

template <int Max>
typename GoPlayout<Max>::Point GoPlayout<Max>::any(Colour c) {
  const bool careful = roll(kAvoidSelfAtari);
  return board_.draw(rng_, [&](Point p) {
    if (p == board_.ko() || board_.is_eye(p, c)) return false;
    if (board_.empty_beside(p) >= 2) return true;
    if (board_.is_suicide(p, c)) return false;
    return !careful || !Tactics::is_bad_self_atari(board_, p, c);
  });
}

template class GoPlayout<9>;
template class GoPlayout<19>;

}  // namespace tengen
