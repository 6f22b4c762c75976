/** What the page says of this game in English; src/games/en.ts collects it. */
export const en = {
  name: "Dominion Duel",
  about: "Claim a territory and lock its neighbours. Whoever has claimed more when nothing is open wins.",
  seat_0: "Player 1",
  seat_1: "Player 2",
  open: "open",
  locked: "locked",
  first_claim: "claimed by Player 1",
  second_claim: "claimed by Player 2",
  claims: "claims",
  confirm_place: "Claim {cell}",
  end_claims: "{first} claimed {a}, {second} {b}, and no territory is open any more.",
  end_claims_even: "Both claimed {a}, and no territory is open any more.",
  option_n: "Territories",
  hint_n: "How many lie in the row.",
  reason_claims: "by claims",
} as const;
