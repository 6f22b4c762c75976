// What a search has found, as it is told: whole moves with their texts, win rates and leads as they are
// meant. The same as tengen.analysis, which tells it of games and searches that are not compiled too.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "describe/description.hpp"
#include "search/report.hpp"

namespace tengen {

inline double rounded(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return std::strtod(text, nullptr);
}

inline Json proven_of(int winner, int mover) {
  if (winner == kUnknown) return {};
  return winner == kDraw ? "draw" : winner == mover ? "win" : "loss";
}

struct ToldLine {
  Json::Array texts;
  Json::Array actions;  // of each whole move
};

// The whole moves that the actions begin with; one that breaks off at the end is left out.
template <GameState S>
ToldLine told_line(Played<S> at, const std::vector<Action>& actions) {
  ToldLine told;
  Played<S> before = at;
  ActionList move;
  for (const Action action : actions) {
    if (at.state.why_illegal(action) != nullptr) break;
    at.play(action);
    move.push_back(action);
    if (Description<S>::mid_move(at.state)) continue;
    const OrRefused<std::string> text = Description<S>::format(before, move);
    if (const std::string* written = std::get_if<std::string>(&text)) told.texts.emplace_back(*written);
    told.actions.push_back(Json::list(move));
    move.clear();
    before = at;
  }
  return told;
}

// `counted` says whether points mean something in this game.
template <GameState S>
Json told_report(const Played<S>& at, const SearchReport& report, bool counted, bool by_net) {
  using D = Description<S>;
  const int mover = at.state.to_move();
  const auto judged = [&](double win, double lead) { return D::judged(at.state, win, lead, by_net); };
  const auto lead_of = [&](double win, double lead) {
    return counted ? Json(rounded(judged(win, lead).lead, 2)) : Json();
  };
  Json::Array moves;
  for (const SearchedMove& move : report.moves) {
    if (move.visits == 0 && move.winner == kUnknown) continue;
    ToldLine line = told_line(at, move.line);
    if (line.texts.empty()) continue;
    const double win = move.winner == kUnknown ? judged(move.win, move.score).win : double{move.win};
    Json first_text = line.texts.front(), first_actions = line.actions.front();
    moves.push_back(Json::Object{{"move", std::move(first_text)},
                                 {"actions", std::move(first_actions)},
                                 {"visits", move.visits},
                                 {"win", rounded(win, 4)},
                                 {"lead", lead_of(move.win, move.score)},
                                 {"proven", proven_of(move.winner, mover)},
                                 {"line", std::move(line.texts)},
                                 {"line_actions", std::move(line.actions)}});
  }
  const bool tried = !report.moves.empty() && report.moves[0].visits > 0;
  const double win = tried ? report.moves[0].win : report.win;
  const double lead = tried ? report.moves[0].score : report.score;
  Json::Array owner;
  for (const float value : report.owner) owner.emplace_back(rounded(value, 3));
  return Json::Object{
      {"to_move", mover},
      {"visits", report.visits},
      {"win", rounded(report.winner == kUnknown ? judged(win, lead).win : double{report.win}, 4)},
      {"lead", lead_of(win, lead)},
      {"proven", proven_of(report.winner, mover)},
      {"moves", std::move(moves)},
      {"ownership", owner.empty() ? Json() : Json(std::move(owner))},
      {"by", by_net ? "brain" : "search"}};
}

// A solved game needs no search: the outcome of every action is known.
template <GameState S>
Json told_outcomes(const Played<S>& at, const std::vector<std::pair<Action, int>>& known) {
  const int mover = at.state.to_move();
  const auto worth = [&](int winner) { return winner == kDraw ? 0.5 : winner == mover ? 1.0 : 0.0; };
  std::vector<std::pair<Action, int>> best_first = known;
  std::ranges::stable_sort(best_first, [&](auto& a, auto& b) { return worth(a.second) > worth(b.second); });
  Json::Array moves;
  for (const auto& [action, winner] : best_first) {
    ToldLine line = told_line(at, {action});
    Json text = line.texts.front();
    moves.push_back(Json::Object{{"move", std::move(text)},
                                 {"actions", Json::list(ActionList{action})},
                                 {"visits", 1},
                                 {"win", worth(winner)},
                                 {"lead", nullptr},
                                 {"proven", proven_of(winner, mover)},
                                 {"line", std::move(line.texts)},
                                 {"line_actions", std::move(line.actions)}});
  }
  const int best = best_first.front().second;
  return Json::Object{{"to_move", mover},
                      {"visits", moves.size()},
                      {"win", worth(best)},
                      {"lead", nullptr},
                      {"proven", proven_of(best, mover)},
                      {"moves", std::move(moves)},
                      {"ownership", nullptr},
                      {"by", "exact"}};
}

}  // namespace tengen
