/** What the legend says; it comes with the legend and not with the page. */
import { inLanguage, language } from "../../i18n";
import type { Text } from "../text";

const en = {
  tiles: "A piece on each of the four victory tiles (★) wins.",
  title: "Pieces of Kelasu",
  note: "Shown with forward up.",
  move: "moves",
  take: "moves or captures",
  capture: "captures only",
  convert: "converts",
  B: "One step forward or sideways. It never captures, but blanks merge into every other piece.",
  W: "One step forward or sideways; it also captures diagonally forward. From the far rank it may return home.",
  R: "Any distance diagonally. It captures only from two cells away on, so a piece next to it closes the way.",
  D: "One to three cells straight, without capturing. It converts an enemy diagonally beside it and is gone.",
  C: "Any distance forward; back without capturing; up to three cells sideways; one diagonally forward.",
  G: "Any distance in all eight directions.",
  S: "Never moves. Each of your stones gives one energy a turn; without stones you lose.",
  merge: "{count} blanks",
};

const ko: Text<typeof en> = {
  tiles: "가운데 승리 칸(★) 네 곳에 모두 말을 놓으면 이깁니다.",
  title: "켈라수의 말",
  note: "위쪽이 앞입니다.",
  move: "이동",
  take: "이동 또는 잡기",
  capture: "잡기만",
  convert: "전향",
  B: "앞이나 옆으로 한 칸. 잡지 못하지만, 합쳐서 다른 모든 말이 됩니다.",
  W: "앞이나 옆으로 한 칸. 앞 대각선으로는 잡기만 합니다. 맨 끝 줄에서는 본진으로 돌아올 수 있습니다.",
  R: "대각선으로 몇 칸이든. 두 칸 이상 떨어져야 잡을 수 있어, 바로 옆의 말은 길을 막습니다.",
  D: "상하좌우로 한 칸에서 세 칸, 잡지 못합니다. 대각선 옆의 적을 전향시키고 사라집니다.",
  C: "앞으로 몇 칸이든. 뒤로는 이동만. 옆으로 세 칸까지. 앞 대각선으로 한 칸.",
  G: "여덟 방향으로 몇 칸이든.",
  S: "움직이지 않습니다. 스톤 하나가 차례마다 에너지 하나를 주며, 스톤이 없으면 집니다.",
  merge: "블랭크 {count}개",
};

export const texts = (): Text<typeof en> => (inLanguage({ en, ko }, language()));
