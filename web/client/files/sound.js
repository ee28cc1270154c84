// Short sounds for moves, made here. They are off until somebody switches them on.

const memory = "ludozero.sound";
let context = null;
let on = false;
try {
  on = localStorage.getItem(memory) === "on";
} catch {
  // Without storage they are off.
}

export const soundOn = () => on;

export function switchSound(wanted) {
  on = wanted;
  try {
    localStorage.setItem(memory, on ? "on" : "off");
  } catch {
    // It holds for this visit.
  }
  if (on) play("move");
}

const tones = { move: [[520, 0, 0.06]], capture: [[240, 0, 0.09], [150, 0.04, 0.12]], end: [[392, 0, 0.16], [523, 0.14, 0.3]] };

// play makes the sound of a "move", a "capture" or the "end".
export function play(what) {
  if (!on) return;
  context ??= new AudioContext();
  for (const [hertz, from, long] of tones[what]) {
    const at = context.currentTime + from;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
    const gain = new GainNode(context, { gain: 0.0001 });
    gain.gain.setValueAtTime(0.25, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + long);
  }
}
