const LINEAR = 8;
const PQ = 16;
const HLG = 18;
const GAMMA: Record<number, number> = { 4: 2.2, 5: 2.8 };

/** Paper white in HDR (ITU-R BT.2408), and the peak of the display for which HLG is graded, in cd/m². */
const WHITE = 203;
const PEAK = 1_000;
const KNEE = 0.7;

type Curve = (value: number) => number;

/**
 * Maps values to light for a transfer function (by its number in ITU-T H.273), with HDR rolled off to what sRGB can show. Null for
 * functions that every viewer treats as sRGB.
 */
export function toLinear(transfer: number, always: true): Curve;
export function toLinear(transfer: number): Curve | null;
export function toLinear(transfer: number, always = false): Curve | null {
  const gamma = GAMMA[transfer];
  if (gamma) return (value) => value ** gamma;
  if (transfer === LINEAR) return (value) => value;
  if (transfer === PQ) return (value) => rollOff((pq(value) * 10_000) / WHITE);
  if (transfer === HLG) return (value) => rollOff((hlg(value) * PEAK) / WHITE);
  return always ? srgb : null;
}

const srgb: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** SMPTE ST 2084: 1 is 10,000 cd/m². */
const pq: Curve = (value) => {
  const power = value ** (1 / 78.84375);
  return (Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125);
};

/** ITU-R BT.2100, with a display gamma of 1.2. */
const hlg: Curve = (value) => {
  const scene =
    value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;
  return scene ** 1.2;
};

/** Linear up to the knee, then increasingly flat: paper white stays close to itself. */
const rollOff: Curve = (light) =>
  light <= KNEE ? light : KNEE + (1 - KNEE) * (1 - Math.exp((KNEE - light) / (1 - KNEE)));
