/** The rules of the four games in English; docs/rules/ is what they have to agree with. */
import type { RulesTexts } from "./text";

export const texts: RulesTexts = {
  "great-kingdom": {
    lead: "Blue and Orange take turns placing castles. Whoever captures first wins at once. If nobody does, the larger walled-in land decides, and Blue, who begins, has to be three points ahead.",
    sections: [
      {
        id: "turns",
        heading: "Board and turns",
        body: [
          "The board has 9×9 cells. A grey neutral castle stands in the centre from the start. Blue begins; then the players alternate. In your turn you place one castle on any empty cell, or you pass. Castles never move and are never taken off.",
          "Castles of one colour that touch side by side form a group; diagonals do not count. The empty cells beside a group are its liberties.",
        ],
      },
      {
        id: "capture",
        heading: "The first capture wins",
        body: [
          "A group without a liberty is captured, and that ends the game: whoever placed the castle has won. One captured castle is enough.",
          "The edge of the board and the neutral castle help the attacker. Both are walls, so they take liberties away from everybody.",
        ],
        lessons: [
          {
            id: "capture",
            task: "The orange castle in the corner has one liberty left. Take it.",
            done: "Captured. In a game that would be the end: Blue has won.",
            hint: "The only empty cell beside the orange castle is A4.",
          },
          {
            id: "group",
            task: "Two orange castles share their liberties. Close the last one.",
            done: "A group is captured as a whole, however large it is.",
            hint: "Which empty cell touches the orange pair?",
          },
          {
            id: "wall",
            task: "The orange castle leans on the neutral one. Use that.",
            done: "The neutral castle is a wall: it gave no liberty.",
            hint: "B2 is the only empty neighbour.",
          },
        ],
      },
      {
        id: "suicide",
        heading: "Suicide loses, unless it captures",
        body: [
          "If your castle takes the last liberty of your own group and captures nothing, you lose at once. The board asks before you do that in a game.",
          "The opponent's groups are looked at first. If both sides stand without liberties after your move, you have captured: that is called a double KO, and you win.",
        ],
        lessons: [
          {
            id: "suicide",
            task: "Place a Blue castle in the corner A5 and see what happens.",
            done: "No liberty and nothing captured: suicide. Orange wins.",
            hint: "The corner is A5, top left.",
          },
          {
            id: "double",
            task: "Blue's castle on G7 would have no liberty. Play it all the same.",
            done: "Double KO: the orange pair had lost its last liberty too, and the attacker wins.",
            hint: "G7 is the empty corner, top right.",
          },
        ],
      },
      {
        id: "territory",
        heading: "Territory",
        body: [
          "A connected patch of empty cells is your territory when castles of yours border it and none of your opponent's do. Board edges and the neutral castle may be part of the wall. Every cell of it is one point.",
          "There is one exception: a patch that touches all four edges of the board is nobody's, even if only one colour borders it. A corner cell touches two edges.",
          "Territory is read off the board as it stands. Nothing is won for good: a castle placed inside can take it away again.",
        ],
        lessons: [
          {
            id: "territory",
            task: "Close the wall, so that the corner becomes Blue's.",
            done: "Three cells, three points. The large patch touches all four edges and is nobody's.",
            hint: "The gap is at C6.",
          },
          {
            id: "invade",
            task: "Now you are Orange. Place a castle inside Blue's land.",
            done: "The patch borders on both colours now and counts for nobody.",
            hint: "Any of A7, B7 and C7 will do.",
          },
          {
            id: "count",
            task: "Blue leads 3–0. Pass; Orange will pass too.",
            done: "Two passes in a row, and the count: 3 is 3 ahead, so Blue wins. With 2–0 Orange would have won.",
            hint: "Use the Pass button below the board.",
          },
        ],
      },
      {
        id: "eyes",
        heading: "What is safe?",
        body: [
          "By default you may place castles in anybody's territory. So a group with a single eye can be captured once everything around it is closed. A group with two separate eyes is safe, since a castle in either would be suicide.",
          "The boxed game (the preset “Published”) forbids castles in the opponent's territory and gives each side 40 castles. There one eye is enough to live.",
        ],
        lessons: [
          {
            id: "eye",
            task: "The orange group lives on one eye, A7. Take it.",
            done: "Its last liberty was its eye. Under the preset “Published” this move would not have been allowed.",
            hint: "A7, top left.",
          },
        ],
      },
    ],
    endings: [
      ["A group of the opponent has no liberty after your move", "You win by capture, even if your own group has none."],
      ["Only your own group has none", "You lose by suicide."],
      ["Both players pass, one after the other", "Points are counted. Blue wins with at least three more than Orange, otherwise Orange wins. There is no draw."],
    ],
    notation: [
      ["D4", "A castle on column D, row 4. Columns are letters from the left without I, rows are numbers from the bottom."],
      ["pass", "A turn without a castle."],
    ],
    errata: [
      ["Suicide", "The rulebook's turn order looks at the opponent's castles only, its diagram lets suicide lose, and the application it comes with says both that it cannot be played and that it loses.", "It loses. The option “suicide: illegal” is the other reading."],
      ["Double KO", "Both sides without liberties is not clearly decided, and only single castles are mentioned.", "Order decides: the opponent's groups are looked at first, so the one who moved wins. Groups are meant."],
      ["Four edges", "What touching an edge means for a corner is not said.", "A cell touches every edge it lies on. Three edges are fine, however large the patch is."],
      ["“Open gap”", "Areas are said to need an enclosure without gaps.", "A patch grown as far as it goes always ends at castles or edges, so the question has no content. The empty board belongs to nobody."],
      ["Neutral castle", "Whether a ring around it counts is left open.", "It does. The neutral castle spoils nothing and counts nothing."],
      ["Entering territory, supply", "Not mentioned.", "Nothing is forbidden and nothing runs out by default. The boxed game's limits are the preset “Published”; its ban holds even where the castle would capture."],
      ["What is counted", "The application adds up castles where its own page says territory.", "We count territory."],
      ["Other sizes", "Hinted at, not described.", "Sizes 3 to 19 exist; with a neutral castle the size has to be odd."],
    ],
    tips: [
      "Every castle adds to the board and none is removed, so no position comes twice and every game ends.",
      "You may always pass: nobody is forced to fill their own land.",
      "Before each move look for groups with one liberty, first theirs, then your own.",
    ],
  },
  go: {
    lead: "Black and White take turns placing stones on the crossings of the lines. Stones that are surrounded are taken off. At the end, whoever has surrounded more wins.",
    sections: [
      {
        id: "turns",
        heading: "Board and turns",
        body: [
          "A full board has 19×19 points; 13×13 and 9×9 are quicker, and 9×9 is the place to begin. Black moves first. A turn is one stone on an empty point, or a pass. Stones never move.",
          "Stones of one colour that are joined along the lines are a chain. The empty points beside it are its liberties. Diagonals do not join.",
        ],
      },
      {
        id: "capture",
        heading: "Capturing",
        body: [
          "Take the last liberty of a chain and it leaves the board; its stones are your prisoners. One stone can capture several chains at a time.",
          "Captures come first. Only then is your own chain looked at, and if it has no liberty the move was not allowed. So you may play on a point without liberties exactly when that captures something.",
        ],
        lessons: [
          {
            id: "capture",
            task: "Capture the white stone.",
            done: "Four neighbours, four black stones: White's stone is a prisoner.",
            hint: "Its last liberty is D3.",
          },
          {
            id: "chain",
            task: "Capture the whole chain of three.",
            done: "A chain lives and dies together.",
            hint: "One empty point is left beside it: F6.",
          },
          {
            id: "inside",
            task: "You are White. A5 has no liberty, and you may play there all the same. Why?",
            done: "Because it captures: both black stones lost their last liberty, and now yours has two.",
            hint: "Play in the corner, A5.",
          },
        ],
      },
      {
        id: "ko",
        heading: "Ko",
        body: [
          "Two stones could take each other back for ever. The ko rule stops that: after a single stone has captured a single stone in this way, it may not be retaken in the very next turn. After a turn elsewhere, or a pass, it may.",
          "Under superko no board that has been there before may ever come back.",
        ],
        lessons: [
          {
            id: "ko",
            task: "Take the white stone in the middle. Then try to take back for White.",
            done: "The marked point is forbidden to White for one turn.",
            hint: "Black plays D3.",
          },
        ],
      },
      {
        id: "eyes",
        heading: "Two eyes live",
        body: ["An eye is a point that your stones surround. An opponent who fills your only eye captures you. With two separate eyes nothing can be done, since each would be suicide while the other is open."],
        lessons: [
          {
            id: "eyes",
            task: "Black has three points inside. Make two eyes.",
            done: "A7 and C7 are two eyes. White can never take this group.",
            hint: "Whoever plays the middle point decides. If Black does not, White does.",
          },
        ],
      },
      {
        id: "count",
        heading: "The end and the count",
        body: [
          "When neither side gains anything any more, both pass. Then you agree which stones on the board are dead: chains that could not escape capture. They come off as prisoners. If you do not agree, play on; the opponent of whoever asked moves first.",
          "Territory scoring (the default) counts the empty points that you surround, less your own stones that were lost. Area scoring counts your stones on the board and what they surround. White gets komi, 6.5 points by default, for moving second.",
          "Points that border on both colours count for nobody.",
        ],
        lessons: [
          {
            id: "count",
            task: "Close the gap in Black's wall; White passes. Then pass as well.",
            done: "Counted: Black has five points, White ten and half a point of komi.",
            hint: "The gap is at B2. Then use the Pass button.",
          },
        ],
      },
      {
        id: "seki",
        heading: "Seki",
        body: ["Sometimes neither side can attack: whoever begins is captured. Such chains both stay on the board, and their points count for nobody. In the agreement the seki tool marks them neutral."],
        lessons: [
          {
            id: "seki",
            task: "Try it: attack with Black at C9.",
            done: "White's answer in the corner captured you. So neither side begins, and both live.",
            hint: "C9 is the empty point between the two chains on the top line.",
          },
        ],
      },
      {
        id: "handicap",
        heading: "Handicap",
        body: ["A weaker player may take two to nine stones in advance. They are black and lie on the star points, White moves first, and komi drops to half a point."],
      },
    ],
    endings: [
      ["Both players pass, and agree on the dead stones", "More points win. A whole komi can make a draw."],
      ["A position comes up for the third time (simple ko)", "A draw without a count."],
    ],
    notation: [
      ["D4", "A stone on column D, row 4. Columns are letters from the left without I, rows are numbers from the bottom."],
      ["pass", "A turn without a stone."],
    ],
    errata: [
      ["Ko", "The rulebook asks for a move elsewhere before retaking.", "A pass lifts the ban too."],
      ["Endless cycles", "Not mentioned; with a simple ko they could go on for ever.", "The third occurrence of a position is a draw."],
      ["Handicap", "Missing.", "Stones lie where Go programs put them; komi is half a point."],
      ["“Surrounded”", "Not defined.", "A patch of empty points that borders on one colour only. The empty board is nobody's."],
      ["Losses and prisoners", "Subtracting one's own losses and adding prisoners are mixed, which would count a stone twice.", "We subtract, and nothing else. The score sheet shows the other way too; the difference is the same."],
      ["Seki", "To be neutral, with no way to know one.", "A mark in the agreement. Without an agreement, eyes in a seki count."],
      ["Dead stones", "Each player marks on their own, or a “full analysis” decides, which nobody can do.", "There is one set of marks that both can change. The machine makes a suggestion; you decide."],
      ["After a disagreement", "Who moves first is not said.", "The opponent of whoever asked to go on."],
      ["Other sizes", "Only 19, 13 and 9.", "Any size from 2 to 19."],
    ],
    tips: [
      "Corners are the easiest to enclose, then the sides, then the centre.",
      "A stone with one liberty is about to be captured: look for those on both sides before every move.",
      "Do not fill your own territory at the end: each stone costs you a point.",
    ],
  },
  kelasu: {
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
  },
  "dominion-duel": {
    lead: "A row of territories. You claim one, and its neighbours are locked for both. Whoever has more claims at the end wins. It takes a minute to learn and has a surprise inside.",
    sections: [
      {
        id: "claim",
        heading: "Claim and lock",
        body: ["Nine territories lie in a row. Player 1 begins; then the players alternate. A turn is one claim of an open territory. The open territories beside it are locked, for both and for good. There is no pass."],
        lessons: [
          {
            id: "claim",
            task: "Claim a territory and see which are locked.",
            done: "Go on if you like: you play both sides here.",
            hint: "Tap any territory.",
          },
        ],
      },
      {
        id: "end",
        heading: "The end",
        body: [
          "When nothing is open the game is over. More claims win; equal claims are a draw. Since the players alternate, Player 1 wins by exactly one if the number of claims is odd, and it is a draw if it is even. Player 2 can never win.",
          "So the whole question is who makes the last claim.",
        ],
        lessons: [
          {
            id: "last",
            task: "You are Player 1 (X), and 7, 8 and 9 are open. Make the last claim.",
            done: "8 locks both neighbours: nothing is left, 2–1.",
            hint: "7 would leave 9 to your opponent. What leaves nothing?",
          },
          {
            id: "draw",
            task: "Play both sides to a draw.",
            done: "Equal claims: a draw, although the rulebook says there is none.",
            hint: "Four claims in all: 2, 4, 6 and 8, for example.",
          },
        ],
      },
      {
        id: "mirror",
        heading: "The mirror",
        body: ["On an odd row Player 1 always wins: claim the middle, then answer every claim with its mirror image. If your opponent could claim, so can you."],
        lessons: [
          {
            id: "mirror",
            task: "Win as Player 1 against somebody who claims at random.",
            done: "That works on every row with a middle.",
            hint: "Start with 5. If they take 2, take 8; if they take 7, take 3.",
          },
        ],
      },
      {
        id: "theory",
        heading: "What is known",
        body: ["To make the last claim is a known puzzle, Dawson's Chess. It is solved: a table says of every row who can do it. Player 2 can force a draw on rows of 4, 8, 14, 20, 24, 28, 34, 38 and 42 territories, and from 52 on where the length leaves 4, 8, 20, 24 or 28 when divided by 34. On all others Player 1 wins."],
      },
    ],
    endings: [
      ["No territory is open", "More claims win; equal claims are a draw. Locked territories belong to nobody."],
    ],
    notation: [["5", "The number of the territory, from the left."]],
    errata: [
      ["Ties", "The rulebook says that nine territories rule out a tie and that games end 5–4.", "Neither is true. Its own sample game ends 2–1, and 2, 4, 6, 8 ends 2–2. Equal claims are a draw."],
      ["“Majority”", "The majority of territories is said to win.", "More claims than the opponent; half the row is never needed."],
      ["The centre", "Recommended because it locks most.", "Right for nine, where nothing else wins, but because of the number of claims that remain."],
      ["Length", "Nine only.", "Any length from 1 to a million."],
    ],
    tips: ["Player 1: think of who comes last, not of how much you lock.", "Player 2: leave your opponent without a mirror; a draw is your victory."],
  },
};
