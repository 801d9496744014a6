import { Injectable } from '@nestjs/common';
import type { DoctorStep, Finding } from '../../common/diagnosis.dto.js';
import { Problem } from '../../common/errors/problem.js';
import { newId } from '../../common/ids.js';
import { StorageService } from '../../storage/storage.service.js';
import type { UploadedPart } from '../../storage/multipart-uploads.js';
import { BucketControl } from '../../storage/bucket-control.js';
import { Installation } from '../../storage/installation.js';
import {
  corsFinding,
  codeIn,
  controlFinding,
  deniedFinding,
  incompleteFinding,
  inconsistentFinding,
  installationFinding,
  publiclyUnreachableFinding,
  refusalFinding,
  settingsFinding,
  unreachableFinding,
} from './findings.js';
import { preflight } from './preflight.js';

type Attempt = (step: string, work: () => Promise<Finding | null>, canBeTried?: boolean) => Promise<boolean>;

const PROBE = Buffer.from('A probe object of the storage doctor. It is deleted after the check.');
const URL_SECONDS = 60;
const TIMEOUT_MS = 10_000;

/** Tests the store as a browser would, with a probe object, and describes problems in the wording of the specification's error table. */
@Injectable()
export class StorageDoctor {
  constructor(
    private readonly storage: StorageService,
    private readonly installation: Installation,
    private readonly control: BucketControl,
  ) {}

  async examine(origin?: string): Promise<{ ok: boolean; steps: DoctorStep[] }> {
    const steps: DoctorStep[] = [];
    let reachable = true;
    /** After a missing permission the next step may still succeed; after any other failure it would fail for the same reason. */
    const attempt: Attempt = async (step, work, canBeTried = true) => {
      if (!reachable || !canBeTried) {
        steps.push({ step, ok: false, skipped: true });
        return false;
      }
      const finding = await work().catch((error: unknown) => findingOf(step, error));
      const ok = finding === null;
      steps.push({ step, ok, ...(finding && { cause: finding.cause, fix: finding.fix }) });
      reachable = ok || finding.denied === true;
      return ok;
    };
    // Outside clients/, where nothing can belong to a client.
    const key = `doctor/${newId()}`;
    const configured = await attempt('settings', () => Promise.resolve(this.settings()));
    if (configured && this.storage.isReadOnly) {
      await this.examineReading(attempt);
      return { ok: steps.every(({ ok }) => ok), steps };
    }
    const written = await attempt('write', () => this.write(key, origin));
    await attempt('head', () => this.head(key));
    const read = await attempt('read', () => this.expectRead(key, undefined));
    await attempt('range', () => this.expectRead(key, { start: 2, end: 6 }), read);
    await attempt('copy', () => this.copy(key, `${key}-copy`));
    const responds = reachable;
    // What was written must not remain, even if a later step failed.
    reachable = written;
    await attempt('delete', () => this.delete(key, `${key}-copy`));
    // The object may have been stored although the write failed.
    if (configured && !written) await this.delete(key).catch(() => undefined);
    reachable &&= responds;
    await this.examineMultipart(`${key}-parts`, attempt);
    await this.examineReading(attempt, read);
    if (origin) await attempt('cross-origin', () => this.crossOrigin(key, origin));
    return { ok: steps.every(({ ok }) => ok), steps };
  }

  /** All that a read-only service needs. */
  private async examineReading(attempt: Attempt, canRead = true): Promise<void> {
    await attempt('list', () => this.list());
    await attempt('bucket', () => this.storage.bucket.head().then(() => null));
    await attempt('installation', () => this.installationStep(), canRead);
  }

  private async examineMultipart(key: string, attempt: Attempt): Promise<void> {
    let uploadId = '';
    let parts: UploadedPart[] = [];
    const create = async () => {
      uploadId = await this.storage.multipart.create(key);
      return null;
    };
    const created = await attempt('multipart-create', create);
    const uploaded = await attempt('multipart-part', () => this.writePart(key, uploadId), created);
    const listParts = async () => {
      parts = await this.storage.multipart.listParts(key, uploadId);
      return null;
    };
    const listed = await attempt('multipart-parts', listParts, uploaded);
    const complete = async () =>
      (await this.storage.multipart.complete(key, uploadId, parts, PROBE.length))
        ? null
        : incompleteFinding();
    const completed = await attempt('multipart-complete', complete, listed);
    await attempt('bulk-delete', () => this.bulkDelete(key), completed);
    let open = created;
    if (completed) {
      await this.storage.delete(key).catch(() => undefined);
      open = await create().then(
        () => true,
        () => false,
      );
    }
    await attempt(
      'multipart-abort',
      () => this.storage.multipart.abort(key, uploadId).then(() => null),
      open,
    );
    await attempt('multipart-list', () => this.listMultiparts());
  }

  private async bulkDelete(key: string): Promise<Finding | null> {
    const [refused] = await this.storage.deleteMany([key]);
    return refused ? { ...deniedFinding('bulk-delete', refused.code ?? ''), denied: true } : null;
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
    const url = await this.storage.presigner.put(key, PROBE.length, URL_SECONDS);
    const response = await fetch(url, {
      method: 'PUT',
      body: PROBE,
      headers: origin ? { origin } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null);
    if (response === null)
      return this.storage.hasPublicAddress ? publiclyUnreachableFinding() : unreachableFinding();
    if (response.ok) return null;
    const skewMs = Date.now() - Date.parse(response.headers.get('date') ?? '');
    return refusalFinding(response.status, await response.text(), skewMs || 0);
  }

  private async writePart(key: string, uploadId: string): Promise<Finding | null> {
    const part = { partNumber: 1, sizeBytes: PROBE.length };
    const url = await this.storage.presigner.part(key, uploadId, part, URL_SECONDS);
    const response = await fetch(url, {
      method: 'PUT',
      body: PROBE,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.text();
    if (response.ok) return null;
    if (response.status === 403) return { ...deniedFinding('multipart-part', codeIn(body)), denied: true };
    return refusalFinding(response.status, body);
  }

  private async head(key: string): Promise<Finding | null> {
    if ((await this.storage.head(key))?.sizeBytes === PROBE.length) return null;
    return inconsistentFinding();
  }

  private async list(): Promise<Finding | null> {
    for await (const _page of this.storage.list('doctor/')) break;
    return null;
  }

  private async listMultiparts(): Promise<Finding | null> {
    for await (const _page of this.storage.multipart.list('doctor/')) break;
    return null;
  }

  private async installationStep(): Promise<Finding | null> {
    const inUse = await this.installation.bucketIsInUse();
    try {
      const owner = await this.installation.owner();
      if (owner === 'nobody') return installationFinding(owner, inUse);
      return installationFinding(owner, inUse) ?? controlFinding(await this.control.state());
    } catch (error) {
      // Without permission to list the bucket, a missing marker looks the same as a forbidden one.
      if (inUse === null && error instanceof Problem && error.code === 'storage_forbidden') return null;
      throw error;
    }
  }

  private async expectRead(
    key: string,
    range: { start: number; end: number } | undefined,
  ): Promise<Finding | null> {
    const expected = range ? PROBE.subarray(range.start, range.end + 1) : PROBE;
    if ((await this.storage.readAll(key, range))?.equals(expected)) return null;
    return inconsistentFinding();
  }

  private async copy(from: string, to: string): Promise<Finding | null> {
    if (await this.storage.copy(from, to, { contentType: 'text/plain', sizeBytes: PROBE.length }))
      return null;
    return { cause: 'The store cannot copy an object.', fix: 'Allow the access key to use CopyObject.' };
  }

  private async delete(...keys: string[]): Promise<Finding | null> {
    for (const key of keys) await this.storage.delete(key);
    return null;
  }

  /** A real preflight, as a browser sends it before the PUT. */
  private async crossOrigin(key: string, origin: string): Promise<Finding | null> {
    const url = await this.storage.presigner.put(key, PROBE.length, URL_SECONDS);
    return corsFinding(await preflight(url, origin, TIMEOUT_MS), origin);
  }
}

function findingOf(step: string, error: unknown): Finding {
  if (!(error instanceof Problem)) return unreachableFinding();
  const cause = error.options.cause as { name?: string; $metadata?: { httpStatusCode?: number } } | undefined;
  const status = cause?.$metadata?.httpStatusCode;
  if (status === undefined) return unreachableFinding();
  if (status === 401 || status === 403)
    return { ...deniedFinding(step, cause?.name === '403' ? '' : (cause?.name ?? '')), denied: true };
  return refusalFinding(status, `<Code>${cause?.name ?? ''}</Code>`);
}
