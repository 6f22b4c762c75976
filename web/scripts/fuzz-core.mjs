/**
 * Puts random actions, texts and broken questions to the compiled core: `node scripts/fuzz-core.mjs [COUNT] [SEED]`, a
 * million unless told otherwise. Every answer must be a value or a refusal of ours, and memory must not grow.
 */
import { loadCore } from "./core.mjs";

const [count = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);
const WARM_UP = 0.2; // of the questions; what memory is there by then must do
const OURS = new Set(["notation", "illegal", "option", "position"]);
const PLACES = [
  { game: "great-kingdom", options: { size: 5 } },
  { game: "great-kingdom", options: { size: 9 } },
  { game: "go", options: { size: 5, scoring: "area" } },
  { game: "go", options: { size: 9 } },
  { game: "kelasu", options: { may_end_turn_early: true } },
  { game: "dominion-duel", options: { n: 30 } },
];
const MOST_MOVES = 30;
const LETTERS = [..."ABCDEFGHIJKXZ0123456789 ;=+>-@%/.#éß한\u{1f600}\u0000\n'\"\\"];

// A small generator of its own (mulberry32), so that a seed repeats a run anywhere.
let state = seed >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (bound) => Math.floor(random() * bound);
const one = (list) => list[below(list.length)];
const text = () => Array.from({ length: below(12) }, () => one(LETTERS)).join("");
const action = () => one([below(120), -1, below(2 ** 31), -(2 ** 31), 0.5, 1e300, below(12)]);

const { nodeCore, newModule } = await loadCore();
const core = nodeCore();
const whole = await Promise.all(PLACES.map(async (one) => ({ ...one, options: await core.options(one.game, one.options), moves: [] })));
let module = newModule();
const tally = { answered: 0, refused: 0, instances: 0 };
let bytes = 0;
const at = whole.map((place) => ({ place, told: null }));

function ask(question) {
  try {
    const value = module.ask(question);
    tally.answered += 1;
    return value;
  } catch (error) {
    const expected = OURS.has(error.code) || (error.code === "broken" && !error.message.startsWith("The core in the page"));
    if (!expected) throw new Error(`${error.code}: ${error.message} at ${JSON.stringify(question)}`, { cause: error });
    tally.refused += 1;
    return null;
  }
}

/** A question about a game under way, which goes on where it can. */
function step(game) {
  const { place } = game;
  switch (below(8)) {
    case 0:
      return ask({ do: "parse", place, text: text() });
    case 1:
      return ask({ do: "move", place, actions: Array.from({ length: below(4) }, action) });
    case 2:
      return ask({ do: "position", place: { ...place, origin: [text(), below(3) - 1], moves: [] } });
    case 3:
      return ask({ do: one(["resume", "count", "drop", "ask", text()]), place, seat: action(), dead: [action()], neutral: [action()], kept: action() });
    case 4:
      return ask(one([[], text(), { place: text() }, { do: text() }, { do: "line", place: { ...place, moves: text(), resumptions: [[action(), action()]] } }, null]));
    default:
      return forward(game);
  }
}

/** Makes a legal move, and begins anew where none is left or the game is long. */
function forward(game) {
  const { place } = game;
  game.told ??= ask({ do: "position", place });
  const { legal, view } = game.told;
  const from = view.details.moves?.length ? one(view.details.moves) : null; // of a game whose moves have stages
  const actions = from === null ? [one(legal)] : [from.from, one(from.targets).cell];
  const made = ask({ do: "move", place, actions });
  if (made !== null) {
    const read = ask({ do: "parse", place, text: made.text });
    if (String(read.actions) !== String(made.actions)) throw new Error(`${made.text} is not read back.`);
    place.moves.push(actions);
    game.told = made.after;
  }
  if (made === null || made.after.outcome !== null || place.moves.length > MOST_MOVES) {
    place.moves = [];
    game.told = null;
  }
}

for (let done = 0; done < count; done = tally.answered + tally.refused) {
  step(one(at));
  tally.instances = module.generation;
  if (done < WARM_UP * count) bytes = Math.max(bytes, module.bytes);
  else if (module.bytes > bytes) throw new Error(`The memory has grown from ${bytes} to ${module.bytes} bytes after ${done} questions.`);
}
console.log(JSON.stringify({ questions: tally.answered + tally.refused, ...tally, bytes }));
