// The core's answers to questions in JSON, for one kind of state. Start reading at answer().
//
// A question names what it wants in `do`, a position as the protocol's Place does (game, options, origin,
// moves, resumptions), and what else it takes. An answer is the value, or {"refused": {"code", "message"}}
// with a sentence for the player. Trees and players stay under the numbers that they got, and so do brains.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "describe/analysis.hpp"
#include "describe/description.hpp"
#include "search/choice.hpp"
#include "wasm/searching.hpp"

namespace tengen::wasm {

inline Json refused(const char* code, const std::string& message) {
  return Json::Object{{"refused", Json::Object{{"code", code}, {"message", message}}}};
}
inline Json refused(const Refused& why) {
  return refused(why.kind == Refused::Kind::Notation ? "notation" : "illegal", why.message);
}

// What stays between questions: a tree or a player, of any game.
class Kept {
 public:
  virtual ~Kept() = default;
  virtual Json ask(const Json& question) = 0;
};
std::int64_t keep(std::unique_ptr<Kept> kept);
// The brain under that number; none under 0.
Brain brain_under(std::int64_t number);

// Why a brain cannot be asked about positions of that game.
template <GameState S>
std::optional<Refused> unfit(const S& state, std::int64_t number) {
  const Brain brain = brain_under(number);
  if (number == 0 || (brain != nullptr && brain->fits(state.planes(), state.action_count()))) return {};
  return Refused{Refused::Kind::Illegal, "That brain does not take positions of this game."};
}

template <GameState S>
Json told(const Played<S>& at, Json text, Json seat, Json resumed, bool whole) {
  using D = Description<S>;
  const S& state = at.state;
  ActionList legal;
  state.legal_actions(legal);
  Json outcome;
  if (state.is_over()) {
    const Outcome end = state.outcome();
    outcome = Json::Object{{"winner", end.winner == kDraw ? Json() : Json(end.winner)},
                           {"reason", end.reason},
                           {"score", end.has_score ? Json::pair(end.score[0], end.score[1]) : Json()}};
  }
  Json::Object position{{"text", std::move(text)},
                        {"seat", std::move(seat)},
                        {"view", told_view(D::view(at))},
                        {"legal", Json::list(legal)},
                        {"diagram", diagram(codes_of(state), D::kLetters, D::width(state.rules()))},
                        {"outcome", std::move(outcome)},
                        {"moves", Json::Array{}},
                        {"resumed", std::move(resumed)}};
  if (whole) {
    position.emplace_back("codes", Json::list(codes_of(state)));
    position.emplace_back("mid_move", D::mid_move(state));
    position.emplace_back("can_resume", D::can_resume(state));
    position.emplace_back("agreement", D::agreement(state.rules()));
  }
  return position;
}

// One or more whole moves of a turn; a refusal leaves `at` as far as it got.
template <GameState S>
std::optional<Refused> make_move(Played<S>& at, const ActionList& actions) {
  using Kind = Refused::Kind;
  if (actions.empty()) return Refused{Kind::Illegal, "A move has at least one action."};
  const int mover = at.state.to_move();
  for (const Action action : actions) {
    if (at.state.to_move() != mover)
      return Refused{Kind::Illegal, "The turn is over before the last of those moves."};
    if (const char* why = at.state.why_illegal(action)) return Refused{Kind::Illegal, why};
    at.play(action);
  }
  if (Description<S>::mid_move(at.state)) return Refused{Kind::Illegal, "That move is not complete."};
  return {};
}

template <GameState S>
std::optional<Refused> make_resumption(Played<S>& at, int seat) {
  const char* why =
      seat != 0 && seat != 1 ? "Play cannot go on after the end of this game." : at.why_not_resume(seat);
  if (why != nullptr) return Refused{Refused::Kind::Illegal, why};
  at.resume(seat);
  return {};
}

template <GameState S>
OrRefused<Played<S>> first_of(const Json& place, const typename S::Rules& rules) {
  using D = Description<S>;
  const Json& origin = place["origin"];
  if (origin.items().size() != 2) return Played<S>(S(rules));
  const OrRefused<std::vector<std::uint8_t>> cells =
      read_diagram(origin.items()[0].text(), D::kLetters, D::width(rules), D::height(rules));
  if (const Refused* no = std::get_if<Refused>(&cells)) return *no;
  return Played<S>(S::from_cells(rules, *std::get_if<std::vector<std::uint8_t>>(&cells),
                                 static_cast<int>(origin.items()[1].integer(-1))));
}

// Plays what leads to a place, `see` being told of each step: the state before, the actions, the state after,
// and of a resumption the seat. A refusal names the move.
template <GameState S, class See>
std::optional<Refused> follow(Played<S>& at, const Json& place, See&& see) {
  const Json::Array& moves = place["moves"].items();
  const Json::Array& resumptions = place["resumptions"].items();
  std::size_t next = 0;
  int number = 0;
  const auto named = [&](const Refused& no) {
    return Refused{no.kind, "Move " + std::to_string(number) + ": " + no.message};
  };
  for (std::size_t done = 0; done <= moves.size(); ++done) {
    for (; next < resumptions.size() && resumptions[next].items().size() == 2 &&
           resumptions[next].items()[0].integer(-1) == static_cast<std::int64_t>(done);
         ++next) {
      const int seat = static_cast<int>(resumptions[next].items()[1].integer(-1));
      const Played<S> before = at;
      ++number;
      if (const auto no = make_resumption(at, seat)) return named(*no);
      see(before, ActionList{}, at, seat);
    }
    if (done == moves.size()) break;
    const ActionList actions = moves[done].integers();
    const Played<S> before = at;
    ++number;
    if (const auto no = make_move(at, actions)) return named(*no);
    see(before, actions, at, -1);
  }
  if (next < resumptions.size())
    return Refused{Refused::Kind::Illegal,
                   "The resumptions of a line come in order, each after a move of it."};
  return {};
}

template <GameState S>
OrRefused<Played<S>> position_of(const Json& place, const typename S::Rules& rules) {
  OrRefused<Played<S>> first = first_of<S>(place, rules);
  if (Played<S>* at = std::get_if<Played<S>>(&first))
    if (const auto no = follow(*at, place, [](auto&&...) {})) return *no;
  return first;
}

template <GameState S>
std::string text_of(const Played<S>& before, const ActionList& actions) {
  const OrRefused<std::string> text = Description<S>::format(before, actions);
  const std::string* found = std::get_if<std::string>(&text);
  return found == nullptr ? std::string() : *found;
}

template <GameState S>
Json line_of(const Json& place, const typename S::Rules& rules) {
  OrRefused<Played<S>> first = first_of<S>(place, rules);
  if (const Refused* no = std::get_if<Refused>(&first)) return refused(*no);
  Played<S>& at = *std::get_if<Played<S>>(&first);
  Json::Array positions{told(at, "", nullptr, nullptr, false)};
  const auto no =
      follow(at, place, [&](const auto& before, const ActionList& actions, const auto& after, int seat) {
        positions.push_back(
            seat < 0 ? told(after, text_of(before, actions), before.state.to_move(), nullptr, false)
                     : told(after, "", nullptr, seat, false));
      });
  if (no) return refused(*no);
  return Json::Object{{"positions", std::move(positions)}};
}

template <GameState S>
Json made(const Played<S>& before, const ActionList& actions, const Played<S>& after) {
  const std::string text = text_of(before, actions);
  return Json::Object{{"actions", Json::list(actions)},
                      {"text", text},
                      {"after", told(after, text, before.state.to_move(), nullptr, true)}};
}

// A search of one position, which goes on with each question.
template <GameState S>
class Tree : public Kept {
 public:
  Tree(Played<S> at, const Brain& brain, std::uint64_t seed)
      : at_(std::move(at)),
        by_net_(brain != nullptr),
        search_(new_searching(at_.state, brain, false, seed)) {}

  Json ask(const Json& question) override {
    SearchLimits limits;
    limits.visits = question["visits"].integer();
    limits.ms = question["ms"].integer();
    if (limits.visits > 0 || limits.ms > 0) search_->run(limits);
    return told_report(at_, search_->report(), question["counted"].truth(), by_net_);
  }

 private:
  Played<S> at_;
  bool by_net_;
  std::unique_ptr<Searching<S>> search_;
};

// A machine at the table: tengen.players.machine has the same three. `visits` 0 without `ms` is perfect play
// where the blur is the chance of carelessness, random moves at 1.
template <GameState S>
class Player : public Kept {
 public:
  Player(const Json& question, typename S::Rules rules)
      : rules_(std::move(rules)),
        visits_(question["visits"].integer()),
        ms_(question["ms"].integer()),
        blur_(question["blur"].number()),
        brain_(question["brain"].integer()),
        planned_(question["planned"].truth()),
        dice_(static_cast<std::uint64_t>(question["seed"].integer())) {}

  Json ask(const Json& question) override {
    OrRefused<Played<S>> found = position_of<S>(question["place"], rules_);
    if (const Refused* no = std::get_if<Refused>(&found)) return refused(*no);
    const Played<S>& at = *std::get_if<Played<S>>(&found);
    if (at.state.is_over()) return refused("illegal", "The game is over.");
    if (const auto no = unfit(at.state, brain_)) return refused(*no);
    const std::int64_t most = question["ms"].integer();
    const bool searches = visits_ > 0 || ms_ > 0;
    return Json::Object{{"actions", Json::list(searches ? by_search(at, most) : without_search(at))}};
  }

 private:
  ActionList by_search(const Played<S>& at, std::int64_t most_ms) {
    keep_up(at);
    SearchLimits limits;
    limits.visits = visits_;
    limits.ms = ms_ > 0 && most_ms > 0 ? std::min(ms_, most_ms) : std::max(ms_, most_ms);
    limits.stop_when_clear = blur_ == 0;
    ActionList chosen;
    do {
      search_->run(limits);
      chosen.push_back(picked(search_->report()));
      at_->play(chosen.back());
      if (!at_->state.is_over()) search_->advance(chosen.back());
    } while (Description<S>::mid_move(at_->state));
    return chosen;
  }

  // The tree of the last move, if the game went on from there; else a new one.
  void keep_up(const Played<S>& at) {
    if (search_ != nullptr && !at_->state.is_over() && at_->resumptions == at.resumptions) {
      const std::vector<Action> before = at_->log.items(), now = at.log.items();
      if (before.size() <= now.size() && std::equal(before.begin(), before.end(), now.begin())) {
        for (std::size_t i = before.size(); i < now.size(); ++i) {
          at_->play(now[i]);
          if (!at_->state.is_over()) search_->advance(now[i]);
        }
        return;
      }
    }
    at_ = std::make_unique<Played<S>>(at);
    search_ = new_searching(at.state, brain_under(brain_), planned_, dice_.bits());
  }

  Action picked(const SearchReport& report) {
    const int mover = at_->state.to_move();
    std::vector<Seen> seen;
    for (const SearchedMove& move : report.moves)
      seen.push_back({move.visits, move.win, move.winner == mover, move.winner == 1 - mover});
    return report.moves[pick(seen, blur_, dice_)].action;
  }

  ActionList without_search(const Played<S>& at) {
    ActionList chosen;
    S state = at.state;
    do {
      ActionList choices;
      state.legal_actions(choices);
      if (blur_ < 1 && dice_.share() >= blur_) keep_best(state, choices);
      chosen.push_back(choices[dice_.below(static_cast<std::uint32_t>(choices.size()))]);
      state.play(chosen.back());
    } while (Description<S>::mid_move(state));
    return chosen;
  }

  // Of a solved game the actions that keep the best outcome.
  static void keep_best(const S& state, ActionList& choices) {
    const auto known = Description<S>::outcomes(state);
    if (!known) return;
    for (const int wanted : {state.to_move(), kDraw}) {
      ActionList best;
      for (const auto& [action, winner] : *known)
        if (winner == wanted) best.push_back(action);
      if (best.empty()) continue;
      choices = best;
      return;
    }
  }

  typename S::Rules rules_;
  std::int64_t visits_;
  std::int64_t ms_;
  double blur_;
  std::int64_t brain_;
  bool planned_;
  Dice dice_;
  std::unique_ptr<Played<S>> at_;
  std::unique_ptr<Searching<S>> search_;
};

// What a brain's net says of a position by itself.
template <GameState S>
Json words_of(const S& state, const Brain& brain) {
  std::vector<float> planes(static_cast<std::size_t>(state.planes().size()));
  state.encode(planes);
  NetWords words;
  brain->evaluate(planes.data(), 1, state.planes(), words);
  return Json::Object{{"policy", Json::list(words.policy)},
                      {"value", words.value[0]},
                      {"lead", words.lead.empty() ? Json() : Json(words.lead[0])},
                      {"ownership", Json::list(words.ownership)}};
}

// Of a brain with its options, all options that it has `learned` and whether it takes any board: if it takes
// positions of this game, and if anything that it has learned prepares for it.
template <GameState S>
Json fit_of(const Json& brain, const typename S::Rules& rules) {
  using D = Description<S>;
  constexpr int kMostSide = 19;  // of a board that a net for any size is given
  const typename S::Rules own = D::rules(brain["options"]);
  const bool same = D::width(rules) == D::width(own) && D::height(rules) == D::height(own);
  const bool any = brain["any"].truth() && std::max(D::width(rules), D::height(rules)) <= kMostSide;
  const auto& learned = brain["learned"].items();
  const bool trained = std::any_of(learned.begin(), learned.end(), [&](const Json& options) {
    return D::trained_for(rules, D::rules(options));
  });
  return Json::Object{{"fits", (same || any) && D::extra_actions(rules) == D::extra_actions(own)},
                      {"trained", trained}};
}

template <GameState S>
Json answer_at(const Json& question, const Played<S>& at) {
  using D = Description<S>;
  const std::string_view wanted = question["do"].text();
  if (wanted == "position") return told(at, "", nullptr, nullptr, true);
  if (wanted == "parse") {
    const OrRefused<ActionList> read = D::parse(at, question["text"].text());
    if (const Refused* no = std::get_if<Refused>(&read)) return refused(*no);
    const ActionList& actions = *std::get_if<ActionList>(&read);
    Played<S> after = at;
    for (const Action action : actions) after.play(action);
    return made(at, actions, after);
  }
  if (wanted == "move") {
    Played<S> after = at;
    const ActionList actions = question["actions"].integers();
    if (const auto no = make_move(after, actions)) return refused(*no);
    return made(at, actions, after);
  }
  if (wanted == "resume") {
    Played<S> after = at;
    const int seat = static_cast<int>(question["seat"].integer(-1));
    if (const auto no = make_resumption(after, seat)) return refused(*no);
    return told(after, "", nullptr, seat, true);
  }
  if constexpr (requires { D::estimate(at.state); }) {
    if (wanted == "estimate") return D::estimate(at.state);
    if (wanted == "count")
      return D::count(at.state, question["dead"].integers(), question["neutral"].integers());
  }
  const std::int64_t brain = question["brain"].integer();
  if (const auto no = unfit(at.state, brain)) return refused(*no);
  if (wanted == "words" && brain != 0) return words_of(at.state, brain_under(brain));
  if (wanted == "tree") {
    if (at.state.is_over()) return refused("illegal", "The game is over: there is nothing to analyse.");
    if (const auto known = D::outcomes(at.state)) return told_outcomes(at, *known);
    const auto seed = static_cast<std::uint64_t>(question["seed"].integer());
    return Json::Object{{"kept", keep(std::make_unique<Tree<S>>(at, brain_under(brain), seed))}};
  }
  return refused("broken", "The core does not know what is asked of it.");
}

template <GameState S>
Json answer(const Json& question, const typename S::Rules& rules) {
  const std::string_view wanted = question["do"].text();
  const Json& place = question["place"];
  if (wanted == "line") return line_of<S>(place, rules);
  if (wanted == "fit") return fit_of<S>(question["brain"], rules);
  if (wanted == "player") return Json::Object{{"kept", keep(std::make_unique<Player<S>>(question, rules))}};
  const OrRefused<Played<S>> found = position_of<S>(place, rules);
  if (const Refused* no = std::get_if<Refused>(&found)) return refused(*no);
  return answer_at(question, *std::get_if<Played<S>>(&found));
}

}  // namespace tengen::wasm
