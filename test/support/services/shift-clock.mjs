/** Preloaded with NODE_OPTIONS=--import: a process whose clock is off by CLOCK_SHIFT_SECONDS. */
const shiftMs = Number(process.env.CLOCK_SHIFT_SECONDS) * 1000;
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
