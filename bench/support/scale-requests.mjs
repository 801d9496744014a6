import { performance } from 'node:perf_hooks';

const REPEATS = Number(process.env.BENCH_REPEATS ?? 7);

/** Calls a service with an API key. */
export function callerOf(url, key) {
  const send = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json() };
  };
  const get = (path) => send('GET', path);
  const deepCursor = async (path, pages) => {
    let cursor = null;
    for (let page = 0; page < pages; page++) {
      const { body } = await get(`${path}${cursor ? `&cursor=${cursor}` : ''}`);
      if (!body.nextCursor) return cursor;
      cursor = body.nextCursor;
    }
    return cursor;
  };
  return { url, key, send, get, deepCursor };
}

/** Milliseconds; every request must succeed. */
export async function median(request, repeats = REPEATS) {
  const times = [];
  for (let n = 0; n <= repeats; n++) {
    const began = performance.now();
    const { status, body } = await request();
    if (status !== 200) throw new Error(`returned ${status}: ${JSON.stringify(body)}`);
    // The first one is a warm-up.
    if (n > 0) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** The words of seed-scale.sql. */
export function word(n) {
  const digits = String((n * 7919) % 99_991).padStart(5, '0');
  return digits.replace(/\d/g, (digit) => 'aeioubdlmr'[digit]) + ['st', 'nt', 'rk', 'ng', 'sh', 'ld'][n % 6];
}
