/**
 * The page of `frames.ts` and `sounds.test.ts`, which call `window.bench`: a board of 19 by 19 on which something
 * changes with every frame, and the sounds of the board, computed instead of played.
 */
import { flushSync, mount } from "svelte";

import Board from "../../src/board/Board.svelte";
import fixtures from "../../src/board/fixtures.json";
import { render, type Sound } from "../../src/board/sounds.ts";
import type { BoardProps, Heat } from "../../src/board/types.ts";
import { faceOf } from "../../src/games/index.ts";
import type { View } from "../../src/protocol.ts";
import "../../src/styles/base.css";
import "../../src/styles/tokens.css";

/** What is another one in each frame: the advice (ownership and best moves), the position as well, or nothing. */
export type Change = "advice" | "move" | "nothing";

export interface Frame {
  at_ms: number; // when the browser began it
  script_ms: number; // our share: the board brought up to date
}

export interface Heard {
  peak: number; // 1 is full scale
  starts_s: number; // the first sample that can be heard
  ends_s: number; // the last one
}

const SAMPLE_RATE = 44_100;
const HEARD_FOR_S = 2;
const AUDIBLE = 0.003; // -50 dB
const SPOTS = 12; // as many best moves as the client draws

const { view: start, legal } = fixtures.find(({ name }) => name === "go-19-heat") as unknown as { view: View; legal: number[] };
const free = [...start.cells].flatMap((letter, cell) => (letter === "." ? [cell] : []));

/** Ownership that drifts over the board, so that each cell has another value each time. */
function ownersAt(time: number): number[] {
  return [...start.cells].map((_, cell) => Math.sin(time / 9 + (cell % 19) / 4) * Math.cos(time / 13 + cell / 70));
}

function heatAt(time: number): Heat[] {
  return Array.from({ length: SPOTS }, (_, rank) => {
    const win = 0.5 + 0.4 * Math.sin(time / 5 + rank);
    const cell = free[(time * 7 + rank * 23) % free.length]!;
    return { cell, win, visits: 400 - 30 * rank, text: `${Math.round(100 * win)}%`, best: rank === 0 };
  });
}

/** One stone more each time, as for somebody who steps through a game. */
function viewAt(time: number): View {
  const placed = free.slice(0, time % free.length);
  const cells = [...start.cells];
  placed.forEach((cell, index) => (cells[cell] = "XO"[index % 2]!));
  return { ...start, cells: cells.join(""), last: placed.slice(-1) };
}

/** Raw, as what comes from the server is in the client. */
class Shown {
  view = $state.raw(start);
  owners = $state.raw(ownersAt(0));
  heat = $state.raw(heatAt(0));
}
const shown = new Shown();

function show(): void {
  document.body.style.cssText = "margin: 20px; width: 720px";
  const props: BoardProps = {
    ...{ face: faceOf("go").board, legal, label: "Bench", sound: false, onmove: () => undefined },
    get view() {
      return shown.view;
    },
    get owners() {
      return shown.owners;
    },
    get heat() {
      return shown.heat;
    },
  };
  mount(Board, { target: document.getElementById("app")!, props });
  flushSync();
}

async function frames(count: number, change: Change): Promise<Frame[]> {
  const found: Frame[] = [];
  await new Promise<void>((done) => {
    const frame = (at_ms: number) => {
      const begun = performance.now();
      if (change !== "nothing") {
        shown.owners = ownersAt(found.length);
        shown.heat = heatAt(found.length);
      }
      if (change === "move") shown.view = viewAt(found.length);
      flushSync();
      found.push({ at_ms, script_ms: performance.now() - begun });
      if (found.length < count) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  });
  return found;
}

async function hear(sound: Sound): Promise<Heard> {
  const context = new OfflineAudioContext(1, HEARD_FOR_S * SAMPLE_RATE, SAMPLE_RATE);
  render(context, sound);
  const samples = (await context.startRendering()).getChannelData(0);
  const loud = (sample: number) => Math.abs(sample) > AUDIBLE;
  const [first, last] = [samples.findIndex(loud), samples.findLastIndex(loud)];
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { peak, starts_s: first / SAMPLE_RATE, ends_s: last / SAMPLE_RATE };
}

const bench = { show, frames, hear };
export type Bench = typeof bench;
declare global {
  interface Window {
    bench: Bench;
  }
}
window.bench = bench;
