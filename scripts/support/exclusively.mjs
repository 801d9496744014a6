/** Lets only one process of this clone install or build at a time. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, root, say } from './steps.mjs';

const LOCK = join(root, '.cache', 'prepare.lock');
const HEARTBEAT = 2_000;
const STALE_AFTER = 20_000;
const ORPHAN_STALE_AFTER = 600_000;

export async function exclusively(work) {
  await acquire();
  // A recent timestamp shows that the holder is alive; its pid alone could have been reused.
  const heartbeat = setInterval(() => touch(), HEARTBEAT);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(LOCK, { force: true });
  }
}

async function acquire() {
  for (let hasSaidSo = false; ; await sleep(300)) {
    try {
      mkdirSync(dirname(LOCK), { recursive: true });
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS') {
        throw new Refusal(`This user cannot write to ${root}, so nothing can be installed or built there.`);
      }
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) rmSync(LOCK, { force: true });
    else if (!hasSaidSo) {
      hasSaidSo = true;
      say('Another process is installing or building in this clone; waiting for it to finish.');
    }
  }
}

/** Records the child that does the work, which may outlive its killed parent. Others must then wait for it. */
export function involve(child) {
  appendFileSync(LOCK, `\n${child.pid}`);
}

function isAbandoned() {
  try {
    const age = Date.now() - statSync(LOCK).mtimeMs;
    const [holder, ...children] = readFileSync(LOCK, 'utf8').split('\n').map(Number);
    const isHeld = isRunning(holder) && age < STALE_AFTER;
    return !isHeld && !(children.some(isRunning) && age < ORPHAN_STALE_AFTER);
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    // If it is not recorded yet, it counts as running.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function touch() {
  try {
    utimesSync(LOCK, new Date(), new Date());
  } catch {
    // Someone removed it; the work itself continues.
  }
}
