import { Copies } from './copies';
import { SessionMemory } from './session-memory';
import type { FinalizedAsset, SessionRequest, UploadApi } from './types';
import { UploadEngine, type UploadSnapshot } from './upload-engine';

const MIB = 1024 * 1024;
const TARGET = { basePath: '/portal', folderId: null };

/** The part of the browser's class that the engine uses. */
class FakeRequest extends EventTarget {
  static sent: { url: string; size: number }[] = [];
  static running = 0;
  static most = 0;
  static respond: (url: string) => number | Promise<number> = () => 200;

  readonly upload = new EventTarget();
  status = 0;
  private url = '';
  private isOpen = false;

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(): void {}
  getResponseHeader(): string {
    return `"etag of ${this.url}"`;
  }
  abort(): void {
    if (this.isOpen) this.end(0);
  }
  send(body: Blob): void {
    this.isOpen = true;
    FakeRequest.most = Math.max(FakeRequest.most, ++FakeRequest.running);
    void Promise.resolve(FakeRequest.respond(this.url)).then((status) => {
      if (!this.isOpen) return;
      if (status === 200) FakeRequest.sent.push({ url: this.url, size: body.size });
      this.end(status);
    });
  }
  private end(status: number): void {
    this.isOpen = false;
    FakeRequest.running--;
    this.status = status;
    this.dispatchEvent(new Event('loadend'));
  }
}

class FakeStorage {
  [name: string]: unknown;
  get length(): number {
    return Object.keys(this).length;
  }
  getItem(name: string): string | null {
    return (this[name] as string | undefined) ?? null;
  }
  setItem(name: string, value: string): void {
    this[name] = value;
  }
  removeItem(name: string): void {
    delete this[name];
  }
}

const problem = (status: number, code: string) => ({
  status,
  code,
  title: code,
  detail: '',
  requestId: 'r1',
  retryAfter: 0,
});

class FakeApi implements UploadApi {
  opened: SessionRequest[] = [];
  renewed = 0;
  cancelled: string[] = [];
  folders: string[] = [];
  warnings: string[] = [];
  finalizeProblems: object[] = [];
  duplicateOf: string | null = null;
  trashed: (readonly string[])[] = [];
  trashProblem: Error | null = null;

  open(request: SessionRequest) {
    this.opened.push(request);
    const sessionId = `s${this.opened.length}`;
    return Promise.resolve({ ...this.session(sessionId, request), uploadToken: `token of ${sessionId}` });
  }
  renew(sessionId: string) {
    this.renewed++;
    return Promise.resolve(this.session(sessionId, this.opened[Number(sessionId.slice(1)) - 1]!));
  }
  isUploaded() {
    return Promise.resolve(false);
  }
  cancel(sessionId: string) {
    this.cancelled.push(sessionId);
    return Promise.resolve();
  }
  finalize(uploadToken: string): Promise<FinalizedAsset> {
    const failure = this.finalizeProblems.shift();
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    if (failure) return Promise.reject(failure);
    return Promise.resolve({
      assetId: uploadToken,
      assetRef: `asset_${uploadToken}`,
      title: '',
      folderId: null,
      duplicateOf: this.duplicateOf,
    });
  }
  createFolders(path: string) {
    this.folders.push(path);
    return Promise.resolve(`folder ${path}`);
  }
  trashCopies(assetIds: readonly string[]) {
    this.trashed.push(assetIds);
    return this.trashProblem
      ? Promise.reject(this.trashProblem)
      : Promise.resolve({ trashed: assetIds, kept: [], batchId: `batch ${this.trashed.length}` });
  }
  private session(sessionId: string, { multipart, expectedSizeBytes }: SessionRequest) {
    const partSizeBytes = 8 * MIB;
    const parts = Array.from({ length: Math.ceil(expectedSizeBytes / partSizeBytes) }, (_, index) => ({
      partNumber: index + 1,
      uploadUrl: `http://store/${sessionId}?part=${index + 1}`,
    }));
    return {
      sessionId,
      requestId: `request for ${sessionId}`,
      uploadUrl: `http://store/${sessionId}`,
      headers: {},
      warnings: this.warnings,
      ...(multipart ? { multipart: { partSizeBytes, parts } } : {}),
    };
  }
}

let api: FakeApi;
let storage: FakeStorage;
let tab: FakeStorage;
let engine: UploadEngine;
let changes: string[];

const newEngine = (userId = 'u1') =>
  new UploadEngine({
    apiFor: () => api,
    memory: new SessionMemory(storage as unknown as Storage),
    copies: new Copies(tab as unknown as Storage, userId),
    onChanged: (basePath) => changes.push(basePath),
  });

beforeEach(() => {
  Object.assign(globalThis, {
    XMLHttpRequest: FakeRequest,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    location: { origin: 'http://page' },
    fetch: () => Promise.resolve(new Response()),
  });
  Object.assign(FakeRequest, { sent: [], running: 0, most: 0, respond: () => 200 });
  changes = [];
  api = new FakeApi();
  storage = new FakeStorage();
  tab = new FakeStorage();
  engine = newEngine();
});
afterEach(() => engine.dispose());

const file = (name: string, bytes = 10) =>
  new File([new Uint8Array(bytes)], name, { type: 'image/jpeg', lastModified: 1 });
const single = (each: File) => ({ file: each, folders: [] });

function until(isReached: (snapshot: UploadSnapshot) => boolean): Promise<UploadSnapshot> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isReached(engine.getSnapshot())) return;
      stop();
      resolve(engine.getSnapshot());
    };
    const stop = engine.subscribe(check);
    check();
  });
}
const finished = () => until(({ unfinished, files, failed }) => unfinished === 0 && files.done + failed > 0);

describe('The upload engine', () => {
  it('uploads thousands of files, four at a time, and keeps only a few rows', async () => {
    engine.add(
      Array.from({ length: 3_000 }, (_, index) => single(file(`${index}.jpg`))),
      TARGET,
    );
    expect((await until(({ files }) => files.total === 3_000)).rows.length).toBeLessThan(60);
    const { files, rows } = await finished();
    expect({ files, most: FakeRequest.most, rows: rows.length }).toEqual({
      files: { done: 3_000, total: 3_000 },
      most: 4,
      rows: 3,
    });
    expect(storage.length).toBe(0);
  });

  it('creates each folder once', async () => {
    const inFolder = (name: string, ...folders: string[]) => ({ file: file(name), folders });
    engine.add([inFolder('1', 'A', 'B'), inFolder('2', 'A', 'B'), inFolder('3', 'A')], TARGET);
    await finished();
    expect(api.folders.sort()).toEqual(['A', 'A/B']);
    expect(api.opened.map(({ folderId }) => folderId).sort()).toEqual([
      'folder A',
      'folder A/B',
      'folder A/B',
    ]);
  });

  it('sends a large file in parts, three at a time, and sends none again after a pause or in another page', async () => {
    const large = file('large.jpg', 101 * MIB);
    let allowed = 5;
    const never = new Promise<number>(() => undefined);
    FakeRequest.respond = () => (allowed-- > 0 ? 200 : never);
    engine.add([single(large)], TARGET);
    await until(() => FakeRequest.sent.length === 5);
    expect(FakeRequest.most).toBe(3);
    engine.pause();
    await until(({ isPaused }) => isPaused);
    allowed = 3;
    engine.resume();
    await until(() => FakeRequest.sent.length === 8);

    engine.dispose();
    engine = newEngine();
    allowed = 100;
    engine.add([single(large)], TARGET);
    await finished();
    const urls = FakeRequest.sent.map(({ url }) => url);
    expect({ parts: urls.length, different: new Set(urls).size, sessions: api.opened.length }).toEqual({
      parts: 13,
      different: 13,
      sessions: 1,
    });
  });

  it('renews an expired URL once; a second rejection stops the other uploads', async () => {
    let refusals = 1;
    FakeRequest.respond = () => (refusals-- > 0 ? 403 : 200);
    engine.add([single(file('late.jpg'))], TARGET);
    expect((await finished()).files.done).toBe(1);
    expect(api.renewed).toBe(1);

    FakeRequest.respond = () => 403;
    engine.add(
      Array.from({ length: 20 }, (_, index) => single(file(`${index}.jpg`))),
      TARGET,
    );
    const { obstacle, unfinished } = await until(({ failed }) => failed === 4);
    expect([obstacle?.step, obstacle?.reason, unfinished]).toEqual(['transfer', 'put_forbidden', 16]);
    FakeRequest.respond = () => 200;
    engine.retry();
    expect((await finished()).files.done).toBe(20);
  });

  it('does not stop again because of a rejection that was on its way when the user tried again', async () => {
    let reject = (_status: number): void => undefined;
    const late = new Promise<number>((resolve) => (reject = resolve));
    const answers = [late, 403, 200];
    let others = 403;
    FakeRequest.respond = (url) => (url.endsWith('/s1') ? answers.shift()! : others);
    engine.add([single(file('late.jpg')), single(file('early.jpg'))], TARGET);
    await until(({ failed }) => failed === 1);
    others = 200;
    engine.retry();
    await until(() => FakeRequest.sent.length === 1);
    reject(403);
    expect(await finished()).toMatchObject({ files: { done: 2, total: 2 }, failed: 0, obstacle: null });
  });

  it('sends no bytes of a file with an unsupported type', async () => {
    api.warnings = ['unsupported_type'];
    engine.add([single(file('notes.txt'))], TARGET);
    const { rows } = await finished();
    expect([rows[0]?.failure?.reason, rows[0]?.failure?.isFinal]).toEqual(['unsupported_type', true]);
    expect({ sent: FakeRequest.sent.length, cancelled: api.cancelled }).toEqual({
      sent: 0,
      cancelled: ['s1'],
    });
  });

  it('waits for a slow finalize, and sends a file again that was stored incorrectly', async () => {
    api.finalizeProblems = [problem(409, 'finalize_in_progress'), problem(422, 'size_mismatch')];
    engine.add([single(file('slow.jpg'))], TARGET);
    expect((await finished()).files.done).toBe(1);
    expect({ sent: FakeRequest.sent.length, sessions: api.opened.length }).toEqual({ sent: 2, sessions: 1 });
  });

  it('reports folders as soon as they exist, and in which ones the files are', async () => {
    FakeRequest.respond = () => new Promise<number>(() => undefined);
    engine.add([{ file: file('one.jpg'), folders: ['Shoot'] }], TARGET);
    await until(({ rows }) => rows[0]?.state === 'sending');
    expect(changes).toEqual([TARGET.basePath]);
    await engine.addFolders(['Empty'], TARGET);
    expect(changes).toHaveLength(2);

    FakeRequest.respond = () => 200;
    engine.add([single(file('two.jpg'))], TARGET);
    const { filled } = await until(({ files }) => files.done === 1);
    expect(filled).toEqual(new Map([[TARGET.basePath, new Set([null])]]));
  });

  it('remembers copies until the user decides, also in the next page of the same user', async () => {
    api.duplicateOf = 'the first one';
    engine.add([single(file('twin.jpg')), single(file('other.jpg'))], TARGET);
    const { copies } = await finished();
    expect(copies.map(({ name, duplicateOf }) => [name, duplicateOf])).toEqual([
      ['twin.jpg', 'the first one'],
      ['other.jpg', 'the first one'],
    ]);
    engine.keepCopies(copies.slice(1));
    engine.dispose();
    expect(newEngine('u2').getSnapshot().copies).toEqual([]);
    engine = newEngine();
    expect(engine.getSnapshot().copies).toEqual(copies.slice(0, 1));
  });

  it('removes copies 500 at a time, and keeps those listed that could not be removed', async () => {
    api.duplicateOf = 'the first one';
    engine.add(
      Array.from({ length: 1_100 }, (_, index) => single(file(`${index}.jpg`))),
      TARGET,
    );
    const { copies } = await finished();
    const removed = await engine.removeCopies(copies.slice(0, 1_050));
    expect(api.trashed.map(({ length }) => length)).toEqual([500, 500, 50]);
    expect(removed).toMatchObject({ trashed: 1_050, kept: 0, error: null });
    expect(removed.batches).toHaveLength(3);

    api.trashProblem = new Error('down');
    expect(await engine.removeCopies(copies.slice(1_050))).toMatchObject({ trashed: 0, batches: [] });
    expect((await until((snapshot) => snapshot.copies.length === 50)).copies).toEqual(copies.slice(1_050));
    expect(tab.length).toBe(50);
  });

  it('cancels the session of a cancelled upload', async () => {
    FakeRequest.respond = () => new Promise<number>(() => undefined);
    engine.add([single(file('unwanted.jpg'))], TARGET);
    await until(({ rows }) => rows[0]?.state === 'sending');
    engine.cancel();
    await until(({ unfinished }) => unfinished === 0);
    expect(api.cancelled).toEqual(['s1']);
  });
});
