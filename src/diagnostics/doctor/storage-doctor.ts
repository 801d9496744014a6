import { Injectable } from '@nestjs/common';
import { Problem } from '../../common/errors/problem.js';
import { newId } from '../../common/ids.js';
import { StorageService } from '../../storage/storage.service.js';
import {
  type Finding,
  corsFinding,
  deniedFinding,
  publiclyUnreachableFinding,
  refusalFinding,
  settingsFinding,
  unreachableFinding,
} from './findings.js';
import { preflight } from './preflight.js';

export interface DoctorStep extends Partial<Finding> {
  readonly step: string;
  readonly ok: boolean;
}

const PROBE = Buffer.from('A probe of the storage doctor. It deletes itself.');
const URL_SECONDS = 60;
const TIMEOUT_MS = 10_000;

/** Goes the way a browser goes, with a probe object, and says what is wrong in the words of the specification's error table. */
@Injectable()
export class StorageDoctor {
  constructor(private readonly storage: StorageService) {}

  async examine(origin?: string): Promise<{ ok: boolean; steps: DoctorStep[] }> {
    const steps: DoctorStep[] = [];
    /** False ends the examination: what comes after would fail for the same reason. */
    const attempt = async (step: string, work: () => Promise<Finding | null>): Promise<boolean> => {
      const finding = await work().catch((error: unknown) => findingOf(step, error));
      steps.push({ step, ok: finding === null, ...finding });
      return finding === null;
    };
    // Outside clients/: nothing that belongs to a client can ever lie here.
    const key = `doctor/${newId()}`;
    const healthy =
      (await attempt('settings', () => Promise.resolve(this.settings()))) &&
      (await attempt('write', () => this.write(key, origin))) &&
      (await attempt('read', () => this.expectRead(key, undefined))) &&
      (await attempt('range', () => this.expectRead(key, { start: 2, end: 6 }))) &&
      (await attempt('copy', () => this.copy(key, `${key}-copy`)));
    if (steps.some(({ step }) => step === 'write'))
      await attempt('delete', () => this.delete(key, `${key}-copy`));
    if (healthy && origin) await attempt('cross-origin', () => this.crossOrigin(key, origin));
    return { ok: steps.every(({ ok }) => ok), steps };
  }

  private settings(): Finding | null {
    try {
      this.storage.requireConfigured();
      return null;
    } catch (error) {
      const missing = error instanceof Problem ? (error.options.extra?.['missing'] as string[]) : [];
      return settingsFinding(missing);
    }
  }

  private async write(key: string, origin?: string): Promise<Finding | null> {
    const url = await this.storage.presignPut(key, PROBE.length, URL_SECONDS);
    const answer = await fetch(url, {
      method: 'PUT',
      body: PROBE,
      headers: origin ? { origin } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null);
    if (answer === null)
      return this.storage.hasPublicAddress ? publiclyUnreachableFinding() : unreachableFinding();
    if (answer.ok) return null;
    const skewMs = Date.now() - Date.parse(answer.headers.get('date') ?? '');
    return refusalFinding(answer.status, await answer.text(), skewMs || 0);
  }

  private async expectRead(
    key: string,
    range: { start: number; end: number } | undefined,
  ): Promise<Finding | null> {
    const expected = range ? PROBE.subarray(range.start, range.end + 1) : PROBE;
    if ((await this.storage.readAll(key, range))?.equals(expected)) return null;
    return {
      cause: 'The store does not give back what was written.',
      mend: 'Use a store with strong read-after-write consistency.',
    };
  }

  private async copy(from: string, to: string): Promise<Finding | null> {
    if (await this.storage.copy(from, to, { contentType: 'text/plain', sizeBytes: PROBE.length }))
      return null;
    return { cause: 'The store cannot copy an object.', mend: 'Allow CopyObject to the access key.' };
  }

  private async delete(...keys: string[]): Promise<Finding | null> {
    for (const key of keys) await this.storage.delete(key);
    return null;
  }

  /** A real preflight, as a browser would send it before the PUT. */
  private async crossOrigin(key: string, origin: string): Promise<Finding | null> {
    const url = await this.storage.presignPut(key, PROBE.length, URL_SECONDS);
    return corsFinding(await preflight(url, origin, TIMEOUT_MS), origin);
  }
}

function findingOf(step: string, error: unknown): Finding {
  if (!(error instanceof Problem)) return unreachableFinding();
  const cause = error.options.cause as { name?: string; $metadata?: { httpStatusCode?: number } } | undefined;
  const status = cause?.$metadata?.httpStatusCode;
  if (status === undefined) return unreachableFinding();
  if (status === 401 || status === 403)
    return deniedFinding(step === 'range' ? 'read' : step, cause?.name ?? '');
  return refusalFinding(status, `<Code>${cause?.name ?? ''}</Code>`);
}
