/** The rules page in English; docs/rules/ is what it has to agree with. */
import type { RulesText } from "../../../rules/text";

export const text: RulesText = {
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
};
