/**
 * The sounds of the board, made with WebAudio: short bursts of filtered noise for wood and stone, sine tones for
 * the rest. Browsers allow sound only after a gesture, so the context is made by the first one; before it, and
 * where there is no WebAudio, nothing is heard and nothing fails.
 */
export type Sound = "stone" | "capture" | "merge" | "end" | "tick";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

const GESTURES = ["pointerdown", "keydown"] as const;

/** Waits for the first gesture; calling it again changes nothing. */
export function prepareSounds(): void {
  if (typeof AudioContext === "undefined" || context) return;
  for (const gesture of GESTURES) addEventListener(gesture, wake, { once: true, passive: true, capture: true });
}

function wake(): void {
  for (const gesture of GESTURES) removeEventListener(gesture, wake, { capture: true });
  if (context) return;
  context = new AudioContext();
  noise = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
}

export function play(sound: Sound): void {
  if (!context || context.state === "closed") return;
  if (context.state === "suspended") void context.resume();
  const now = context.currentTime;
  switch (sound) {
    case "stone":
      return click(now, 1900 + Math.random() * 300, 0.5, 0.06, 190);
    case "capture":
      click(now, 1700, 0.35, 0.05, 170);
      return click(now + 0.07, 2400, 0.3, 0.05, 240);
    case "merge":
      [330, 440, 587].forEach((pitch, i) => tone(now + i * 0.055, pitch, 0.11, 0.16));
      return;
    case "end":
      [392, 494, 587, 784].forEach((pitch, i) => tone(now + i * 0.13, pitch, 0.12, 0.45));
      return;
    case "tick":
      return click(now, 3200, 0.12, 0.025, 900);
  }
}

/** A knock: noise through a narrow band, over a low thud. */
function click(at: number, band: number, loudness: number, length: number, thud: number): void {
  if (!context || !noise) return;
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: band, Q: 1.4 });
  source.connect(filter).connect(fading(at, loudness, length)).connect(context.destination);
  source.start(at);
  source.stop(at + length + 0.05);
  tone(at, thud, loudness * 0.5, length * 1.4);
}

function tone(at: number, pitch: number, loudness: number, length: number): void {
  if (!context) return;
  const source = new OscillatorNode(context, { type: "sine", frequency: pitch });
  source.connect(fading(at, loudness, length)).connect(context.destination);
  source.start(at);
  source.stop(at + length + 0.05);
}

function fading(at: number, loudness: number, length: number): GainNode {
  const gain = new GainNode(context!, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  return gain;
}
