#include "bind/py_state.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <string>

namespace tengen {
namespace {

// The names of what is asked, made once: looking a method up then compares pointers.
struct Names {
  PyObject* legal_actions = PyUnicode_InternFromString("legal_actions");
  PyObject* play = PyUnicode_InternFromString("play");
  PyObject* play_legal = PyUnicode_InternFromString("play_legal");
  PyObject* outcome = PyUnicode_InternFromString("outcome");
  PyObject* to_move = PyUnicode_InternFromString("to_move");
  PyObject* evaluate = PyUnicode_InternFromString("evaluate");
  PyObject* encode = PyUnicode_InternFromString("encode");
  PyObject* cells = PyUnicode_InternFromString("cells");
};

const Names& names() {
  static const Names all;
  return all;
}

nb::object checked(PyObject* result) {
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

nb::object ask(const nb::object& state, PyObject* method) {
  return checked(PyObject_CallMethodNoArgs(state.ptr(), method));
}

nb::object attribute(const nb::object& state, PyObject* name) {
  return checked(PyObject_GetAttr(state.ptr(), name));
}

// For games whose methods are not Python code, which would see to this itself: others get the lock, and
// Ctrl-C is heard.
void breathe() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kTurn = std::chrono::milliseconds(5);
  thread_local int calls = 0;
  thread_local Clock::time_point last = Clock::now();
  if (++calls % 64 != 0) return;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (Clock::now() - last < kTurn) return;
  {
    const nb::gil_scoped_release release;
  }
  last = Clock::now();
}

[[noreturn]] void refuse(const PyGame& game, const std::string& what) {
  throw nb::value_error((game.name + ": " + what).c_str());
}

std::string shown(nb::handle value) {
  std::string text = nb::repr(value).c_str();
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

// The legal actions as Python gave them: a list or a tuple.
nb::object legal_sequence(const PyGame& game, const nb::object& state) {
  nb::object answer = ask(state, names().legal_actions);
  if (PyList_Check(answer.ptr()) || PyTuple_Check(answer.ptr())) return answer;
  PyObject* list = PySequence_List(answer.ptr());
  if (list == nullptr) {
    PyErr_Clear();
    refuse(game, "legal_actions() gave " + shown(answer) + ", not a list of actions.");
  }
  return nb::steal(list);
}

Action read_action(const PyGame& game, nb::handle item) {
  if (!PyIndex_Check(item.ptr()))
    refuse(game, "legal_actions() gave " + shown(item) + ", which is no action.");
  const Action action = to_action(item);
  if (action < 0 || action >= game.action_count)
    refuse(game, "legal_actions() gave " + shown(item) + ", and actions go from 0 to " +
                     std::to_string(game.action_count - 1) + ".");
  return action;
}

nb::object state_after(const PyGame& game, const nb::object& state, nb::handle action) {
  PyObject* method = game.plays_unchecked ? names().play_legal : names().play;
  PyObject* next = PyObject_CallMethodOneArg(state.ptr(), method, action.ptr());
  if (next == nullptr) throw nb::python_error();
  if (next == Py_None) {
    Py_DECREF(next);
    refuse(game, "play() gave None, not the next state.");
  }
  return nb::steal(next);
}

ActionList read_actions(const PyGame& game, const nb::object& state) {
  const nb::object sequence = legal_sequence(game, state);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence.ptr());
  ActionList actions;
  actions.reserve(static_cast<std::size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    actions.push_back(read_action(game, PySequence_Fast_GET_ITEM(sequence.ptr(), i)));
  }
  std::sort(actions.begin(), actions.end());
  if (std::adjacent_find(actions.begin(), actions.end()) != actions.end())
    refuse(game, "legal_actions() gave an action twice.");
  return actions;
}

// The words that games end with, kept for good: an Outcome only points at its reason.
const char* kept_word(const std::string& word) {
  static std::set<std::string> words;
  constexpr std::size_t kMostWords = 1000;  // a game has a handful
  if (words.size() >= kMostWords && !words.contains(word)) return "other";
  return words.insert(word).first->c_str();
}

Outcome read_outcome(const PyGame& game, const nb::object& found) {
  Outcome outcome;
  const nb::object winner = found.attr("winner");
  if (!winner.is_none()) {
    if (!PyIndex_Check(winner.ptr())) refuse(game, "the winner is " + shown(winner) + ", not 0, 1 or None.");
    outcome.winner = to_action(winner);
    if (outcome.winner != 0 && outcome.winner != 1)
      refuse(game, "the winner is " + shown(winner) + ", not 0, 1 or None.");
  }
  outcome.reason = kept_word(nb::str(found.attr("reason")).c_str());
  const nb::object score = nb::getattr(found, "score", nb::none());
  if (score.is_none()) return outcome;
  if (!PySequence_Check(score.ptr()) || PySequence_Size(score.ptr()) != 2)
    refuse(game, "the score is " + shown(score) + ", not a pair of numbers.");
  outcome.has_score = true;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const nb::object points = checked(PySequence_GetItem(score.ptr(), static_cast<Py_ssize_t>(seat)));
    outcome.score[seat] = PyFloat_AsDouble(points.ptr());
    if (PyErr_Occurred()) throw nb::python_error();
  }
  return outcome;
}

// Whether play_legal() is what the class itself means by play(): one that overrides play() alone is asked
// that.
bool may_play_unchecked(const nb::object& state) {
  for (const nb::handle base : state.type().attr("__mro__")) {
    const nb::object members = base.attr("__dict__");
    if (PySequence_Contains(members.ptr(), names().play_legal) == 1) return true;
    if (PySequence_Contains(members.ptr(), names().play) == 1) return false;
  }
  return false;
}

std::shared_ptr<PyGame> read_game(const nb::object& state) {
  for (const char* name : {"game", "to_move", "outcome", "legal_actions", "play"}) {
    if (nb::hasattr(state, name)) continue;
    const std::string type = nb::str(nb::type_name(state.type())).c_str();
    throw nb::type_error(("A state of a game is needed, and " + type + " has no " + name + ".").c_str());
  }
  auto game = std::make_shared<PyGame>();
  game->game = state.attr("game");
  game->name = nb::str(nb::getattr(game->game, "name", nb::str("the game"))).c_str();
  const auto number = [&](const char* name) {
    const nb::object value = nb::getattr(game->game, name, nb::none());
    if (!PyIndex_Check(value.ptr())) refuse(*game, std::string(name) + " is not a whole number.");
    return to_action(value);
  };
  game->action_count = number("action_count");
  if (game->action_count < 1 || game->action_count > PyState::kMostActions)
    refuse(*game, "searches take games of 1 to " + std::to_string(PyState::kMostActions) + " actions, not " +
                      std::to_string(game->action_count) + ".");
  const int width = number("width");
  const int height = number("height");
  if (width < 1 || height < 1 || width > (1 << 20) / height) refuse(*game, "the board has no size.");
  game->cell_count = width * height;
  game->evaluates = nb::hasattr(state, "evaluate");
  game->plays_unchecked = may_play_unchecked(state);
  return game;
}

// A contiguous array of floats, whatever encode() gave.
nb::object plain_array(const nb::object& planes) {
  return nb::module_::import_("numpy").attr("ascontiguousarray")(planes, "float32");
}

}  // namespace

struct PyState::Seen {
  explicit Seen(nb::object python, std::shared_ptr<std::size_t> shared = nullptr)
      : at{std::move(python)}, kept(std::move(shared)) {}
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;
  ~Seen() {
    if (counted) --*kept;
  }

  Rules at;                           // the Python state
  std::shared_ptr<std::size_t> kept;  // how many positions the search remembers; null where none are
  bool counted = false;
  std::int8_t to_move = -1;  // not asked yet
  bool asked_outcome = false;
  bool over = false;
  bool asked_legal = false;
  Outcome outcome;
  ActionList legal;
  std::unordered_map<Action, std::shared_ptr<Seen>> next;
};

PyState::PyState(const Rules& rules)
    : game_(read_game(rules.start)), seen_(std::make_shared<Seen>(rules.start)) {}

PyState PyState::own_copy() const {
  PyState copy = *this;
  copy.seen_ = std::make_shared<Seen>(seen_->at.start, std::make_shared<std::size_t>(0));
  return copy;
}

const PyState::Rules& PyState::rules() const { return seen_->at; }

int PyState::to_move() const {
  if (seen_->to_move < 0) {
    const nb::object seat = attribute(seen_->at.start, names().to_move);
    const Action number = PyIndex_Check(seat.ptr()) ? to_action(seat) : -1;
    if (number != 0 && number != 1) refuse(*game_, "to_move is " + shown(seat) + ", not 0 or 1.");
    seen_->to_move = static_cast<std::int8_t>(number);
  }
  return seen_->to_move;
}

bool PyState::is_over() const {
  Seen& seen = *seen_;
  if (!seen.asked_outcome) {
    const nb::object found = attribute(seen.at.start, names().outcome);
    if (!found.is_none()) seen.outcome = read_outcome(*game_, found);
    seen.over = !found.is_none();
    seen.asked_outcome = true;
  }
  return seen.over;
}

Outcome PyState::outcome() const { return is_over() ? seen_->outcome : Outcome{}; }

const ActionList& PyState::legal() const {
  Seen& seen = *seen_;
  if (!seen.asked_legal) {
    ActionList actions = read_actions(*game_, seen.at.start);
    if (actions.empty() != is_over())
      refuse(*game_, actions.empty() ? "legal_actions() is empty, and the game is not over."
                                     : "legal_actions() is not empty, and the game is over.");
    seen.legal = std::move(actions);
    seen.asked_legal = true;
  }
  return seen.legal;
}

const char* PyState::why_illegal(Action action) const {
  const ActionList& actions = legal();
  if (std::binary_search(actions.begin(), actions.end(), action)) return nullptr;
  return is_over() ? "The game is over." : "That action is not legal here.";
}

void PyState::legal_actions(ActionList& actions) const { actions = legal(); }

void PyState::play(Action action) {
  const std::shared_ptr<Seen> from = seen_;
  if (const auto known = from->next.find(action); known != from->next.end()) {
    seen_ = known->second;
    return;
  }
  breathe();
  const nb::object number = checked(PyLong_FromLong(action));
  auto seen = std::make_shared<Seen>(state_after(*game_, from->at.start, number), from->kept);
  if (seen->kept != nullptr && *seen->kept < kMostKept) {
    seen->counted = true;
    ++*seen->kept;
    from->next.insert_or_assign(action, seen);
  }
  seen_ = std::move(seen);
}

// Only legal_actions() and play() are asked on the way: the list is empty exactly when the game is over.
PlayoutResult PyState::playout(Rng& rng) {
  nb::object at = seen_->at.start;
  int made = 0;
  for (; made < kPlayoutCap; ++made) {
    breathe();
    const nb::object actions = legal_sequence(*game_, at);
    const auto count = static_cast<std::uint32_t>(PySequence_Fast_GET_SIZE(actions.ptr()));
    if (count == 0) break;
    const nb::object action = nb::borrow(PySequence_Fast_GET_ITEM(actions.ptr(), rng.below(count)));
    read_action(*game_, action);
    try {
      at = state_after(*game_, at, action);
    } catch (nb::python_error&) {
      const bool over = !attribute(at, names().outcome).is_none();
      if (over) refuse(*game_, "legal_actions() is not empty, and the game is over.");
      throw;
    }
  }
  seen_ = std::make_shared<Seen>(std::move(at));
  if (made == kPlayoutCap) return {kDraw, made};
  if (!is_over()) refuse(*game_, "legal_actions() is empty, and the game is not over.");
  return {seen_->outcome.winner, made};
}

std::uint64_t PyState::hash() const {
  const Py_hash_t hash = PyObject_Hash(seen_->at.start.ptr());
  if (hash == -1) throw nb::python_error();
  return splitmix64(static_cast<std::uint64_t>(hash));
}

bool PyState::operator==(const PyState& other) const {
  if (seen_ == other.seen_) return true;
  const int equal = PyObject_RichCompareBool(seen_->at.start.ptr(), other.seen_->at.start.ptr(), Py_EQ);
  if (equal < 0) throw nb::python_error();
  return equal == 1;
}

void PyState::cells(std::span<std::uint8_t> out) const {
  const nb::object cells = checked(PyBytes_FromObject(ask(seen_->at.start, names().cells).ptr()));
  if (static_cast<std::size_t>(PyBytes_GET_SIZE(cells.ptr())) != out.size())
    refuse(*game_, "cells() does not give a code for each cell.");
  std::copy_n(PyBytes_AS_STRING(cells.ptr()), out.size(), out.begin());
}

Planes PyState::planes() const {
  if (game_->planes.channels == 0) {
    const nb::object array = plain_array(ask(seen_->at.start, names().encode));
    const nb::object shape = array.attr("shape");
    if (nb::len(shape) != 3) refuse(*game_, "encode() must give an array of three dimensions.");
    game_->planes = {nb::cast<int>(shape[0]), nb::cast<int>(shape[1]), nb::cast<int>(shape[2])};
    if (game_->planes.size() < 1) {
      game_->planes = {};
      refuse(*game_, "encode() gave an empty array.");
    }
  }
  return game_->planes;
}

void PyState::encode(std::span<float> out) const {
  const Planes shape = planes();
  const nb::object array = plain_array(ask(seen_->at.start, names().encode));
  const auto values = nb::cast<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>(array);
  const bool fits = values.ndim() == 3 && values.shape(0) == static_cast<std::size_t>(shape.channels) &&
                    values.shape(1) == static_cast<std::size_t>(shape.height) &&
                    values.shape(2) == static_cast<std::size_t>(shape.width) && values.size() == out.size();
  if (!fits) refuse(*game_, "encode() gave arrays of different shapes.");
  std::copy_n(values.data(), out.size(), out.begin());
}

float PyState::evaluate() const {
  const nb::object answer = ask(seen_->at.start, names().evaluate);
  const double win = PyFloat_AsDouble(answer.ptr());
  if (PyErr_Occurred()) throw nb::python_error();
  if (!(win >= 0 && win <= 1))
    refuse(*game_, "evaluate() gave " + shown(answer) + ", not a chance from 0 to 1.");
  return static_cast<float>(win);
}

static_assert(GameState<PyState>);
static_assert(SearchHeuristics<Heuristics<PyState>, PyState>);

}  // namespace tengen
