/** What the page says of each game in Korean; a section is a game's name with _ for -. */
import { ko as dominion_duel } from "./dominion-duel/ko";
import { ko as go } from "./go/ko";
import { ko as great_kingdom } from "./great-kingdom/ko";
import { ko as kelasu } from "./kelasu/ko";

export const games = { great_kingdom, go, kelasu, dominion_duel };
