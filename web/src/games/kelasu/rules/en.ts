/** The rules page in English; docs/rules/ is what it has to agree with. */
import type { RulesText } from "../../../rules/text";

export const text: RulesText = {
  lead: "Two armies of blanks and stones. Blanks merge into stronger pieces, stones give energy to act with, and whoever holds the four tiles in the middle wins.",
  sections: [
    {
      id: "board",
      heading: "Board and sides",
      body: [
        "The board has 10×10 cells. Ranks are letters from A at the top to J, files are numbers from 0 to 9: a cell is called D2. The four victory tiles are E4, E5, F4 and F5.",
        "Blue begins at the top and moves down, Red at the bottom and moves up. Each side has 20 blanks and 4 stones. The two ranks at your own edge are your home ranks.",
      ],
      lessons: [
        {
          id: "blank",
          task: "Move a blank. It goes one cell forward or sideways, to an empty cell, and never captures.",
          done: "That cost one of four energies; it is still Blue's turn.",
          hint: "Choose a blank on rank B with a free cell before it, then that cell.",
        },
      ],
    },
    {
      id: "turn",
      heading: "Energy and the turn",
      body: [
        "When your turn begins you have as much energy as you have stones. A move, a capture, a conversion and a recall cost 1 each. A merge costs as many as the blanks it takes.",
        "No piece acts twice in a turn. The turn ends when the energy is used up, or when nothing can act any more. You have to use what you have, unless the option to end a turn early is on.",
        "A merge is allowed even if you have too little energy: it takes what is left, and nothing is owed.",
      ],
    },
    {
      id: "pieces",
      heading: "The pieces",
      body: [
        "Warrior: one cell forward or sideways, to move or capture; one cell diagonally forward, only to capture.",
        "Runner: any distance along the diagonals. It cannot capture on the neighbouring cell, so a piece there closes that diagonal; from the second cell on it captures.",
        "Diplomat: one to three cells straight, without capturing. See below for what it does to neighbours.",
        "Champion: forward any distance and sideways up to three, to move or capture; one cell diagonally forward, to move or capture; backward any distance without capturing.",
        "General: any distance in all eight directions. Stone: never moves. Nothing jumps over pieces, except in a recall.",
      ],
      lessons: [
        {
          id: "warrior",
          task: "Capture with the warrior.",
          done: "Diagonally forward: there a warrior captures, and only captures.",
          hint: "The red blank stands diagonally before the warrior, on F4.",
        },
        {
          id: "runner",
          task: "Two red blanks stand on the runner's diagonals. Capture the one that can be taken.",
          done: "Two cells away can be captured. The neighbour on F5 could not, and it closes its diagonal.",
          hint: "The one on C2.",
        },
        {
          id: "strong",
          task: "Choose the champion and the general to see where they may go. Then capture something.",
          done: "The champion strikes forward and sideways, the general everywhere.",
          hint: "The champion on E2 can take the blank on G2; the general on E8 the one on I8.",
        },
      ],
    },
    {
      id: "special",
      heading: "Converting and recalling",
      body: [
        "A diplomat can convert an opposing piece on a diagonally neighbouring cell, stones included. The piece stays where it is and changes sides; the diplomat leaves the board.",
        "A warrior that has reached the far rank can be recalled: straight back to its own back rank, over everything. An opposing piece there is captured; an own piece there is in the way.",
      ],
      lessons: [
        {
          id: "convert",
          task: "Convert one of the two red stones.",
          done: "It is Blue's stone now and gives energy from the next turn on.",
          hint: "Choose the diplomat on G8, then a stone diagonally beside it.",
        },
        {
          id: "recall",
          task: "The warrior on J9 has arrived. Recall it, and capture what stands at home.",
          done: "Nine cells back in one go.",
          hint: "Choose the warrior, then A9.",
        },
      ],
    },
    {
      id: "merge",
      heading: "Merging",
      body: [
        "Blanks that are connected side by side can merge: 2 make a warrior, 4 a runner or a diplomat, 5 a champion, 10 a general (21 a stone, in positions that were set up). The new piece stands on one of their cells, which you choose, and may act at once if energy is left.",
        "Blanks on your own home ranks cannot merge, nor can those that have moved in this turn.",
      ],
      lessons: [
        {
          id: "merge",
          task: "Merge the blanks on E0 and E1 into a warrior.",
          done: "Two energies for a warrior that can still move in this turn.",
          hint: "Choose “Merge”, tap both blanks, then the warrior.",
        },
      ],
    },
    {
      id: "winning",
      heading: "Winning",
      body: ["You win at once when your pieces, of any kind, stand on all four victory tiles; when your opponent has no stone left; or when your opponent has nothing but stones."],
      lessons: [
        {
          id: "tiles",
          task: "Take the fourth victory tile.",
          done: "All four tiles: Blue wins at once, whatever energy is left.",
          hint: "The warrior on F6 goes to F5.",
        },
        {
          id: "stones",
          task: "Red has one stone left. Capture it.",
          done: "Without stones there is no energy: Red has lost.",
          hint: "The warrior on G9 takes the stone on H9.",
        },
      ],
    },
  ],
  endings: [
    ["Your pieces stand on all four victory tiles", "You win."],
    ["Your opponent has no stone, or nothing but stones", "You win."],
    ["Your own move leaves you with nothing but stones", "Your opponent wins."],
    ["The same position for the fourth time at the end of a turn", "A draw."],
    ["64 rounds without a blank's move, merge, capture or conversion", "A draw."],
    ["Nothing can act at the beginning of a turn", "A draw."],
  ],
  notation: [
    ["B1-C1", "A move from B1 to C1."],
    ["F6xF5", "A capture."],
    ["D0%C1", "The diplomat on D0 converts the piece on C1."],
    ["A5@J5", "A recall."],
    ["=W E0+E1>E1", "The blanks on E0 and E1 become a warrior on E1. Letters: W, R, D, C, G, S."],
    ["B1-C1;B3-C3", "The moves of a turn, joined by a semicolon."],
  ],
  errata: [
    ["Warrior's diagram", "Its + sign is not in the legend.", "Read as the legend's *: only to capture."],
    ["Recall", "Said not to collide with anything.", "That is about the cells between. At home an opposing piece is captured and an own piece is in the way. It costs 1 and counts as the warrior's move."],
    ["Runner", "Whether a neighbour can be jumped or taken is left to the diagram.", "Neither."],
    ["Conversion", "What can be converted, and where it ends up, is not said.", "Anything, in place."],
    ["“Next to each other”", "Not defined for merges.", "Connected side by side, not diagonally."],
    ["Moved blanks", "Merging a blank that has moved would let it act twice.", "It cannot merge in that turn."],
    ["Too little energy", "A merge is allowed then.", "Energy stops at 0. A stone that is converted gives energy from the next turn on."],
    ["Ending a turn", "Not mentioned.", "Not possible by default; there is an option. A turn in which nothing can act ends by itself."],
    ["Own last piece", "Only the opponent is looked at.", "Whoever leaves themselves with stones alone loses."],
    ["64 turns", "Of one player or of both is not said.", "64 rounds of both. A conversion breaks the quiet as well."],
    ["Repetition and stalemate", "Not defined.", "Board and side to move at the end of a turn; nothing can act at the beginning of a turn."],
    ["A stone of 21 blanks", "In the table of merges.", "Possible as a rule, but no side can have 21 blanks from the start."],
  ],
  tips: [
    "Stones are your energy: eight energies against none decide a game, so guard them and go for theirs.",
    "A warrior for two blanks soon pays for itself.",
    "Count the tiles: four pieces of any kind are enough, blanks as well.",
  ],
};
