/** Runs commands and reports progress in plain words. Only uses Node's own modules, because it runs before anything is installed. */
import { spawn } from 'node:child_process';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const say = (line) => process.stdout.write(`${line}\n`);

/** A failure whose message contains everything the user needs to know; shown without a stack. */
export class Refusal extends Error {}

export function endWith(error) {
  process.stderr.write(`\n${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exit(1);
}

/** Reports a step and how long it took. On a terminal, the seconds count up. */
export async function step(title, work) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const isTerminal = process.stdout.isTTY;
  if (!isTerminal) say(title);
  const draw = () => process.stdout.write(`\r${title} … ${seconds()}`);
  const ticker = isTerminal ? setInterval(draw, 1000) : undefined;
  if (isTerminal) draw();
  const finish = (word) =>
    say(isTerminal ? `\r${title} … ${word} (${seconds()})` : `  ${word} (${seconds()})`);
  try {
    const result = await work();
    clearInterval(ticker);
    finish('done');
    return result;
  } catch (error) {
    clearInterval(ticker);
    finish('failed');
    throw error;
  }
}

/** Runs a command silently. Resolves to its exit code and its output. */
export function capture(command, args, { env = process.env, onStart } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid) onStart?.(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const release = passSignalsOn(child);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      release();
      resolve({ code: code ?? 1, signal, output: output.trim() });
    });
  });
}

/** Otherwise, stopping `npm start` would leave an install or a build running. */
export function passSignalsOn(child) {
  const forward = (signal) => {
    child.kill(signal);
    child.once('exit', () => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', forward).on('SIGTERM', forward);
  return () => process.off('SIGINT', forward).off('SIGTERM', forward);
}
