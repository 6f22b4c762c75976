import type { Text } from "../text";
import type { en } from "./en";

export const ko: Text<typeof en> = {
  name: "도미니언 듀얼",
  about: "영토를 차지하면 양옆이 잠깁니다. 열린 땅이 없을 때 더 많이 차지한 쪽이 이깁니다.",
  seat_0: "플레이어 1",
  seat_1: "플레이어 2",
  open: "열린 영토",
  locked: "잠김",
  first_claim: "플레이어 1의 영토",
  second_claim: "플레이어 2의 영토",
  claims: "차지한 땅",
  confirm_place: "{cell} 차지하기",
  end_claims: "{first} {a}곳, {second} {b}곳을 차지했고, 열린 땅이 더 없습니다.",
  end_claims_even: "양쪽이 {a}곳씩 차지했고, 열린 땅이 더 없습니다.",
  option_n: "영토의 수",
  hint_n: "한 줄에 놓인 영토의 수입니다.",
  certain_open_won: "판 위에서는 아직 지지 않았습니다. {loser} 쪽이 이길 수 있었습니다.",
  certain_open_even: "판 위에서는 아직 지지 않았습니다. 서로 잘 두면 무승부였습니다.",
  certain_never: "{loser} 쪽이 막을 수 없었습니다. 이 판은 잘 두면 상대가 이깁니다.",
  certain_wins: "{move} 대신 {better}이면 이깁니다.",
  certain_draws: "{move} 대신 {better}이면 서로 잘 둘 때 무승부입니다.",
  reason_claims: "차지한 영토로",
};
