/** The rules page in English; docs/rules/ is what it has to agree with. */
import type { RulesText } from "../../../rules/text";

export const text: RulesText = {
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
        "Under superko no board that has been there before may ever come back; under situational superko not with the same player to move.",
        "Where suicide is allowed (New Zealand) you may take your own last liberty: your stones come off.",
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
};
