/**
 * The sounds of the board, made with WebAudio: short bursts of filtered noise for wood and stone, sine tones for
 * the rest. Browsers allow sound only after a gesture, so the context is made by the first one; before it, and
 * where there is no WebAudio, nothing is heard and nothing fails.
 */
export type Sound = "stone" | "capture" | "merge" | "end";

interface Instrument {
  context: BaseAudioContext;
  noise: AudioBuffer;
}

let instrument: (Instrument & { context: AudioContext }) | null = null;

const GESTURES = ["pointerdown", "keydown"] as const;

/** Waits for the first gesture; calling it again changes nothing. */
export function prepareSounds(): void {
  if (typeof AudioContext === "undefined" || instrument) return;
  for (const gesture of GESTURES) addEventListener(gesture, wake, { once: true, passive: true, capture: true });
}

function wake(): void {
  for (const gesture of GESTURES) removeEventListener(gesture, wake, { capture: true });
  if (instrument) return;
  const context = new AudioContext();
  instrument = { context, noise: noiseFor(context) };
}

function noiseFor(context: BaseAudioContext): AudioBuffer {
  const noise = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return noise;
}

export function play(sound: Sound): void {
  if (!instrument || instrument.context.state === "closed") return;
  if (instrument.context.state === "suspended") void instrument.context.resume();
  perform(instrument, sound);
}

/** The sound from now on in any context, such as one that only computes it. */
export function render(context: BaseAudioContext, sound: Sound): void {
  perform({ context, noise: noiseFor(context) }, sound);
}

function perform(on: Instrument, sound: Sound): void {
  const now = on.context.currentTime;
  switch (sound) {
    case "stone":
      return stone(on, now, 0.94 + Math.random() * 0.12);
    case "capture":
      click(on, now, 1700, 0.35, 0.05, 170);
      return click(on, now + 0.07, 2400, 0.3, 0.05, 240);
    case "merge":
      [330, 440, 587].forEach((pitch, i) => tone(on, now + i * 0.055, pitch, 0.11, 0.16));
      return;
    case "end":
      [392, 494, 587, 784].forEach((pitch, i) => tone(on, now + i * 0.13, pitch, 0.12, 0.45));
      return;
  }
}

/** A stone on a board: the tick of its touch, and the wood that answers, a little different every time. */
function stone(on: Instrument, at: number, pitch: number): void {
  click(on, at, 3600 * pitch, 0.34, 0.022, 0);
  click(on, at + 0.002, 1250 * pitch, 0.4, 0.05, 0);
  tone(on, at, 385 * pitch, 0.2, 0.07);
  tone(on, at, 930 * pitch, 0.1, 0.045);
  tone(on, at, 165 * pitch, 0.22, 0.09);
}

/** A knock: noise through a narrow band, over a low thud where one is given. */
function click(on: Instrument, at: number, band: number, loudness: number, length: number, thud: number): void {
  const { context, noise } = on;
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: band, Q: 1.4 });
  source.connect(filter).connect(fading(on, at, loudness, length)).connect(context.destination);
  source.start(at);
  source.stop(at + length + 0.05);
  if (thud) tone(on, at, thud, loudness * 0.5, length * 1.4);
}

function tone(on: Instrument, at: number, pitch: number, loudness: number, length: number): void {
  const source = new OscillatorNode(on.context, { type: "sine", frequency: pitch });
  source.connect(fading(on, at, loudness, length)).connect(on.context.destination);
  source.start(at);
  source.stop(at + length + 0.05);
}

function fading({ context }: Instrument, at: number, loudness: number, length: number): GainNode {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  return gain;
}
