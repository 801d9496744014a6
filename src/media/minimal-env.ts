/** Decoders get no secrets: only what they need to start. */
const INHERITED = ['PATH', 'SystemRoot', 'TZ', 'LANG'];

export function minimalEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' };
  for (const name of INHERITED) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}
