import { CpuMeter, cpuMsOf } from './process-cpu.js';

describe('CpuMeter', () => {
  it('adds up the CPU time of one process after another, including those that have ended', () => {
    const meter = new CpuMeter();
    expect(meter.totalMs()).toBe(0);
    meter.start(process.pid);
    const used = cpuMsOf(process.pid);
    if (used === null) return;
    expect(used).toBeGreaterThan(0);
    expect(meter.totalMs()).toBeGreaterThanOrEqual(used);
    meter.end();
    const ended = meter.totalMs();
    expect(ended).toBeGreaterThanOrEqual(used);
    meter.start(process.pid);
    expect(meter.totalMs()).toBeGreaterThanOrEqual(ended + used);
  });
});
