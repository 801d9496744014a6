import { afterFailure, afterLostWorker, isOpen, retryDelay } from './delivery.rules.js';

describe('retryDelay', () => {
  it('follows the schedule and ends with it', () => {
    const schedule = [60, 300, 900, 3600];
    expect([1, 2, 3, 4, 5, 6].map((failures) => retryDelay(schedule, failures))).toEqual([
      60,
      300,
      900,
      3600,
      null,
      null,
    ]);
  });
});

describe('isOpen', () => {
  it('is true while the worker may still send something', () => {
    expect(
      ['queued', 'running', 'delivered', 'failed', 'cancelled'].map((status) => isOpen(status as 'queued')),
    ).toEqual([true, true, false, false, false]);
  });
});

const SCHEDULE = [60, 300];
const failure = (change: object = {}) => ({
  code: 'target_unreachable',
  isFinal: false,
  ambiguous: false,
  retryAfterSeconds: null,
  ...change,
});

describe('afterFailure', () => {
  it('retries according to the schedule, then gives up', () => {
    const after = (failures: number) => afterFailure(failures, failure(), SCHEDULE);
    expect(after(0)).toEqual({ status: 'queued', failures: 1, delaySeconds: 60 });
    expect(after(1)).toEqual({ status: 'queued', failures: 2, delaySeconds: 300 });
    expect(after(2)).toEqual({ status: 'failed', failures: 3, delaySeconds: 0 });
  });

  it('gives up immediately if a retry would fail in the same way', () => {
    expect(afterFailure(0, failure({ isFinal: true }), SCHEDULE).status).toBe('failed');
  });

  it('waits as long as the target requests, but never less than the schedule', () => {
    expect(afterFailure(0, failure({ retryAfterSeconds: 600 }), SCHEDULE).delaySeconds).toBe(600);
    expect(afterFailure(0, failure({ retryAfterSeconds: 5 }), SCHEDULE).delaySeconds).toBe(60);
  });

  it('does not count a stopped worker, or waiting for the site, as failures', () => {
    const stopped = failure({ code: 'interrupted' });
    expect(afterFailure(2, stopped, SCHEDULE)).toEqual({ status: 'queued', failures: 2, delaySeconds: 1 });
    expect(afterFailure(2, failure({ code: 'upload_unfinished' }), SCHEDULE)).toEqual({
      status: 'queued',
      failures: 2,
      delaySeconds: 60,
    });
  });

  it('gives the site time after an interrupted upload', () => {
    const stopped = failure({ code: 'interrupted', ambiguous: true });
    expect(afterFailure(0, stopped, SCHEDULE)).toEqual({ status: 'queued', failures: 1, delaySeconds: 60 });
  });
});

describe('afterLostWorker', () => {
  it('continues immediately if nothing was sent, but not forever', () => {
    const lost = { wasSending: false, silentSeconds: 30 };
    expect(afterLostWorker(0, lost, SCHEDULE)).toEqual({ status: 'queued', failures: 1, delaySeconds: 0 });
    expect(afterLostWorker(2, lost, SCHEDULE).status).toBe('failed');
  });

  it('counts the delay after an upload from the last heartbeat', () => {
    const lost = { wasSending: true, silentSeconds: 40 };
    expect(afterLostWorker(0, lost, SCHEDULE).delaySeconds).toBe(20);
    expect(afterLostWorker(0, { ...lost, silentSeconds: 400 }, SCHEDULE).delaySeconds).toBe(0);
  });
});
