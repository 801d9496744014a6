/** Loaded into a process by `--import`: its clock is two hours slow from then on. */
const SLOW_MS = 2 * 60 * 60_000;
const RealDate = Date;
const now = () => RealDate.now() - SLOW_MS;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
