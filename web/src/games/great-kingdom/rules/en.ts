/** The rules page in English; docs/rules/ is what it has to agree with. */
import type { RulesText } from "../../../rules/text";

export const text: RulesText = {
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
};
