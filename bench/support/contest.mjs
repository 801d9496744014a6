import autocannon from 'autocannon';

/** Measures the contenders in turn, so that other load on the machine affects all of them equally. The first round is a warm-up. */
export async function contest(contenders, rounds) {
  const measured = contenders.map((each) => ({ ...each, rounds: [] }));
  for (let round = 0; round <= rounds; round++) {
    for (const each of measured) {
      const result = await each.measure();
      if (round > 0) each.rounds.push(result);
    }
  }
  return measured;
}

/** Repeats the same request. Responses other than 2xx fail the measurement. */
export async function fire(url, token, { connections, seconds, headers = {}, method = 'GET', body }) {
  const result = await autocannon({
    url,
    method,
    body,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} responses other than 2xx, ${result.errors} errors.`);
  }
  return result;
}

/** Requests per second, and the duration of one. */
export function speedOf(rounds) {
  return {
    'req/s': rounded(median(rounds.map(({ requests }) => requests.average))),
    'p50 ms': rounded(median(rounds.map(({ latency }) => latency.p50))),
    'p99 ms': rounded(median(rounds.map(({ latency }) => latency.p99))),
  };
}

export function verdict(ratio, aim) {
  return `ratio ${ratio.toFixed(2)} (aim: at least ${aim}, ${ratio >= aim ? 'reached' : 'missed'})`;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function rounded(value) {
  return Math.round(value * 10) / 10;
}
