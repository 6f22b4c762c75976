// The core as a WebAssembly module: text in, text out, both JSON (answer.hpp), and one import, `fail`, which
// throws in JavaScript. After that the memory of the module is not to be used again.
//
// tools/wasm.py compiles it. Start reading at tengen_ask().
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "fail.hpp"
#include "wasm/answer.hpp"
#include "wasm/games.hpp"

namespace tengen::wasm {

namespace {

struct Known {
  const char* name;
  Json (*answer)(const Json&);
};
constexpr Known kGames[] = {{"great-kingdom", &answer_great_kingdom},
                            {"go", &answer_go},
                            {"kelasu", &answer_kelasu},
                            {"dominion-duel", &answer_dominion_duel}};

std::map<std::int64_t, std::unique_ptr<Kept>> kept;
std::map<std::int64_t, Brain> brains;
std::int64_t kept_so_far = 0;
std::string given;
std::string answered;

Json answer_to(const Json& question) {
  const std::string_view wanted = question["do"].text();
  if (wanted == "ask" || wanted == "drop") {
    const auto found = kept.find(question["kept"].integer());
    if (found == kept.end()) return refused("broken", "The core keeps nothing under that number.");
    if (wanted == "ask") return found->second->ask(question);
    kept.erase(found);
    return {};
  }
  const std::string_view name = question["place"]["game"].text();
  for (const Known& game : kGames)
    if (name == game.name) return game.answer(question);
  return refused("option", "There is no game " + quoted(name) + " in the page.");
}

// The net of the file that was written in place of a question; 0 where it cannot be read.
std::int64_t keep_brain() {
  std::optional<Net> net = Net::read({reinterpret_cast<const std::uint8_t*>(given.data()), given.size()});
  if (!net) return 0;
  brains[++kept_so_far] = std::make_shared<const Net>(std::move(*net));
  return kept_so_far;
}

}  // namespace

Brain brain_under(std::int64_t number) {
  const auto found = brains.find(number);
  return found == brains.end() ? nullptr : found->second;
}

std::int64_t keep(std::unique_ptr<Kept> one) {
  kept[++kept_so_far] = std::move(one);
  return kept_so_far;
}

}  // namespace tengen::wasm

extern "C" {

__attribute__((import_module("tengen"), import_name("fail"))) void tengen_fail(const char* text,
                                                                               std::size_t length);

// Room for a question of that many bytes.
__attribute__((export_name("room"))) char* tengen_room(std::size_t length) {
  using tengen::wasm::given;
  given.assign(length, ' ');
  return given.data();
}

// Answers the question that was written there; returns how many bytes the answer has.
__attribute__((export_name("ask"))) std::size_t tengen_ask() {
  using namespace tengen::wasm;
  const auto question = tengen::Json::read(given);
  answered = (question ? answer_to(*question) : refused("broken", "The question cannot be read.")).written();
  return answered.size();
}

// Keeps the brain whose file was written there; returns the number to ask for it by, 0 where it is none.
__attribute__((export_name("brain"))) std::int32_t tengen_brain() {
  return static_cast<std::int32_t>(tengen::wasm::keep_brain());
}

__attribute__((export_name("answer"))) const char* tengen_answer() { return tengen::wasm::answered.data(); }
}

namespace tengen {

void fail_outside(const std::string& message) {
  tengen_fail(message.data(), message.size());
  std::abort();
}

}  // namespace tengen
