import type { Api } from '../api/api.js';

/** The current `/metrics`: each series, by its name with its labels, and its value. */
export async function readMetrics(api: Api, headers?: Record<string, string>): Promise<Map<string, number>> {
  const { status, body } = await api.get('/metrics', headers);
  if (status !== 200) throw new Error(`/metrics returned ${status}`);
  const series = new Map<string, number>();
  for (const line of String(body).split('\n')) {
    const match = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line);
    if (match) series.set(match[1]!, Number(match[2]));
  }
  return series;
}
