/** What the page says of each game in English; a section is a game's name with _ for -. */
import { en as dominion_duel } from "./dominion-duel/en";
import { en as go } from "./go/en";
import { en as great_kingdom } from "./great-kingdom/en";
import { en as kelasu } from "./kelasu/en";

export const games = { great_kingdom, go, kelasu, dominion_duel };
