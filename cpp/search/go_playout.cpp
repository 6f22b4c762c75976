#include "search/go_playout.hpp"

namespace tengen {

template <int Max>
int GoPlayout<Max>::run(Colour first, Point last, Point before, FirstAt& first_at) {
  last_ = last;
  before_ = before;
  for (int cell = 0; cell < board_.size() * board_.size(); ++cell) {
    const Point p = board_.point(cell);
    if (board_.head(p) == p) note_atari(p);
  }
  nakade_below_ = board_.size() * board_.size() / 2;
  const int limit = 3 * board_.size() * board_.size();
  Colour c = first;
  int passes = 0;
  int made = 0;
  for (; passes < 2 && made < limit; ++made) {
    const Point chosen = choose(c);
    if (chosen == Board::kNone) {
      ++passes;
      board_.clear_ko();
    } else {
      passes = 0;
      board_.place(chosen, c);
      if (first_at[chosen] == Board::kEmpty) first_at[chosen] = c;
      note_atari(chosen);
      Board::beside(chosen, [&](std::size_t q) {
        if (board_.at(static_cast<int>(q)) == Board::other(c)) note_atari(static_cast<Point>(q));
      });
    }
    before_ = last_;
    last_ = chosen;
    c = Board::other(c);
  }
  return made;
}

template <int Max>
typename GoPlayout<Max>::Point GoPlayout<Max>::choose(Colour c) {
  count_ = 0;
  if (last_ != Board::kNone) {
    if (board_.empty_count() < nakade_below_ && roll(chances_.nakade)) {
      seek_nakade(c);
      if (count_ > 0) return pick();
    }
    if (roll(chances_.atari)) {
      seek_atari(c);
      if (count_ > 0) return pick();
    }
    if (roll(chances_.two)) {
      seek_two(c);
      if (count_ > 0) return pick();
    }
    if (roll(chances_.shape)) {
      seek_shape(c, last_);
      if (before_ != Board::kNone && roll(chances_.before)) seek_shape(c, before_);
      if (count_ > 0) return pick();
    }
  }
  if (atari_count_ > 0 && roll(chances_.capture)) {
    seek_capture(c);
    if (count_ > 0) return pick();
  }
  return any(c);
}

// The point of a small enclosed space that decides between one eye and two: the only one with the most
// neighbours inside. kNone when the space is not enclosed by that colour alone, or has no such point.
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
  // Three in a row; a T or square of four has or needs no choice; the cross and the bulky five; the rabbity
  // six. Their vital point has 2, 3, 4 or 3, and 4 neighbours inside, alone.
  if (equals != 1) return Board::kNone;
  const bool kills = size == 3 || (size == 4 && most == 3) || (size == 5 && (most == 4 || leaves == 1)) ||
                     (size == 6 && most == 4 && leaves == 2);
  return kills ? best : Board::kNone;
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

// Chains with two liberties around the last move: put the enemy's in atari where he then cannot get more than
// two liberties, and take ours out of such a threat.
template <int Max>
void GoPlayout<Max>::seek_two(Colour c) {
  const Colour enemy = Board::other(c);
  Points liberties;
  const auto attack = [&](int stone) {
    if (board_.at(stone) != enemy || !Tactics::has_two(board_, stone, liberties)) return;
    for (int i = 0; i < 2; ++i) {
      const Point p = liberties[i];
      const Point out = liberties[1 - i];
      if (board_.empty_beside(out) < 3 && is_playable(p, c) && Tactics::liberties_after(board_, out, enemy, 3) - 1 <= 1 &&
          !Tactics::is_self_atari(board_, p, c))
        add(p);
    }
  };
  Points defended;  // heads of chains already looked at
  const auto defend = [&](int stone) {
    if (board_.at(stone) != c || defended.has(board_.head(stone))) return;
    defended.add(board_.head(stone));
    if (!Tactics::has_two(board_, stone, liberties)) return;
    for (int i = 0; i < 2; ++i) {
      const Point p = liberties[i];
      const Point out = liberties[1 - i];
      // The enemy at p would leave us with few liberties at out: go there, or to p, if that helps.
      if (board_.empty_beside(out) >= 3 || Tactics::liberties_after(board_, out, c, 4) - 1 > 2) continue;
      if (is_playable(p, c) && Tactics::liberties_after(board_, p, c, 3) >= 3) add(p);
    }
  };
  attack(last_);
  Board::beside(last_, [&](std::size_t q) { defend(static_cast<int>(q)); });
}

template <int Max>
void GoPlayout<Max>::seek_shape(Colour c, Point around) {
  constexpr int kStride = Board::kStride;
  for (const int p : {around - kStride - 1, around - kStride, around - kStride + 1, around - 1, around + 1,
                      around + kStride - 1, around + kStride, around + kStride + 1}) {
    const auto point = static_cast<Point>(p);
    if (board_.at(p) != Board::kEmpty || !shapes_[go_shape(board_, p)]) continue;
    if (is_playable(point, c) && !Tactics::is_bad_self_atari(board_, point, c)) add(point);
  }
}

template <int Max>
void GoPlayout<Max>::seek_capture(Colour c) {
  int kept = 0;
  for (int i = 0; i < atari_count_; ++i) {
    const Point stone = ataris_[static_cast<std::size_t>(i)];
    const Colour there = board_.at(stone);
    if (there == Board::kEmpty || !board_.in_atari(stone)) continue;
    ataris_[static_cast<std::size_t>(kept++)] = stone;
    if (there == c) continue;
    const Point p = board_.last_liberty(stone);
    if (is_playable(p, c)) add(p);
  }
  atari_count_ = kept;
}

template <int Max>
typename GoPlayout<Max>::Point GoPlayout<Max>::any(Colour c) {
  const bool careful = roll(chances_.avoid_self_atari);
  return board_.draw(rng_, [&](Point p) {
    if (p == board_.ko() || board_.is_eye(p, c)) return false;
    if (board_.empty_beside(p) >= 2) return true;
    if (board_.is_suicide(p, c)) return false;
    return !careful || !Tactics::is_bad_self_atari(board_, p, c);
  });
}

template <int Max>
void GoPlayout<Max>::note_atari(Point stone) {
  if (atari_count_ < static_cast<int>(ataris_.size()) && board_.in_atari(stone))
    ataris_[static_cast<std::size_t>(atari_count_++)] = stone;
}

template class GoPlayout<9>;
template class GoPlayout<19>;

}  // namespace tengen
