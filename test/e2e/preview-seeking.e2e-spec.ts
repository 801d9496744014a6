import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventually } from '../support/eventually.js';
import { Film } from '../support/media/film.js';
import { MeteredProxy } from '../support/faults/metered-proxy.js';
import { newClient } from '../support/api/people.js';
import { memoryOf, peakDuring } from '../support/services/process-memory.js';
import { launchProcess, newSettings, OWNER, type ServiceProcess } from '../support/services/service.js';
import { expectStatus, Uploader } from '../support/api/uploads.js';

const MB = 1024 * 1024;
/** `npm run test:big`: more than 2 GB, beyond 32-bit offsets. */
const FILM_MB = Number(process.env['FILM_MB'] ?? 24);
const SIZE = FILM_MB * MB;
const POSITIONS = Array.from({ length: 10 }, (_, index) => Math.floor(((SIZE - MB) / 9) * index));
const ROUNDS = process.env['FILM_MB'] ? 15 : 5;
const VIEWERS = 40;
/** How much more memory the service may use than before, whatever the size of the video. */
const ALLOWED_GROWTH_MB = 100;
/** The capacity of the sockets between the store and each viewer who left. */
const UNDERWAY = 8 * MB;

const film = new Film(SIZE);
let service: ServiceProcess;
let store: MeteredProxy;
let token: string;
let path: string;

beforeAll(async () => {
  const settings = await newSettings();
  const endpoint = settings.STORAGE_ENDPOINT;
  store = await MeteredProxy.to(endpoint);
  service = await launchProcess({
    ...settings,
    STORAGE_ENDPOINT: store.via(endpoint),
    STORAGE_PUBLIC_ENDPOINT: endpoint,
  });
  token = (await service.api.post('/auth/login', OWNER)).body.accessToken as string;
  const owner = service.api.as(token);
  const uploader = Uploader.admin(owner, await newClient(owner));
  path = `${uploader.base}/${await upload(uploader)}/preview`;
}, 600_000);
afterAll(async () => {
  await service?.stop();
  store?.close();
});

/** Returns the asset's id. */
async function upload(uploader: Uploader): Promise<string> {
  const session = expectStatus(
    await uploader.api.post(`${uploader.base}/upload-session`, {
      originalFilename: 'film.mp4',
      mimeType: 'video/mp4',
      expectedSizeBytes: SIZE,
    }),
    201,
  );
  const put = request(session.uploadUrl as string, { method: 'PUT', headers: { 'content-length': SIZE } });
  const [[response]] = await Promise.all([
    once(put, 'response'),
    pipeline(Readable.from(film.chunks()), put),
  ]);
  expect((response as IncomingMessage).statusCode).toBe(200);
  (response as IncomingMessage).resume();
  // A long one continues in the background; repeating the request returns the asset.
  return eventually(async () => {
    const { status, body } = await uploader.finalize(session);
    expect([200, 201]).toContain(status);
    return body.assetId as string;
  }, 540_000);
}

/** Resolves with the head of the response; the body is not read yet. */
async function open(range: string): Promise<IncomingMessage> {
  const sent = request(service.url + path, {
    agent: false,
    headers: { authorization: `Bearer ${token}`, range },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Reads at least this much, then disconnects abruptly. */
async function readAndLeave(response: IncomingMessage, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let length = 0; length < bytes;) {
    const chunk = response.read() as Buffer | null;
    if (chunk === null) await once(response, 'readable');
    else length += chunks.push(chunk) && chunk.length;
  }
  response.destroy();
  return Buffer.concat(chunks);
}

/** Data already sent by the store arrives, and then nothing more. */
async function silence(): Promise<void> {
  let seen = -1;
  await eventually(() => {
    const before = seen;
    seen = store.received;
    expect(seen).toBe(before);
  });
}

const memory = () => memoryOf(service.process.pid!);
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

describe(`A video of ${FILM_MB} MB`, () => {
  it('serves what Safari requests before it plays', async () => {
    const middle = Math.floor(SIZE / 2);
    for (const [range, start, end] of [
      ['bytes=0-1', 0, 1],
      ['bytes=-65536', SIZE - 65_536, SIZE - 1],
      [`bytes=${middle}-${middle + 99_999}`, middle, middle + 99_999],
      [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
    ] as const) {
      const response = await open(range);
      expect([response.statusCode, response.headers['content-type']]).toEqual([206, 'video/mp4']);
      expect(response.headers['content-range']).toBe(`bytes ${start}-${end}/${SIZE}`);
      const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
      expect(bytes.equals(film.slice(start, end + 1))).toBe(true);
    }
    const beyond = await open(`bytes=${SIZE}-`);
    beyond.resume();
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${SIZE}`]);
  });

  it('starts equally fast from any position', async () => {
    const times = POSITIONS.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, position] of POSITIONS.entries()) {
        const startedAt = performance.now();
        const response = await open(`bytes=${position}-`);
        const bytes = await readAndLeave(response, 1);
        times[index]!.push(performance.now() - startedAt);
        expect(bytes.equals(film.slice(position, position + bytes.length))).toBe(true);
      }
    }
    const medians = times.map(median);
    tell(`first byte after ms, from start to end: ${medians.map((ms) => ms.toFixed(1)).join(', ')}`);
    const [early, late] = [median(medians.slice(0, 3)), median(medians.slice(-3))];
    expect(late).toBeLessThan(early * 2 + 30);
    expect(Math.max(...medians)).toBeLessThan(Math.min(...medians) * 3 + 30);
  });

  it('is read from the store only where it is requested', async () => {
    await silence();
    const before = store.received;
    for (const position of POSITIONS) {
      const response = await open(`bytes=${position}-${position + 65_535}`);
      const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
      expect(bytes.equals(film.slice(position, position + 65_536))).toBe(true);
    }
    // Plus the store's headers.
    expect(store.received - before).toBeLessThan(POSITIONS.length * (65_536 + 4_096));
  });

  it('streams in no more memory than a short one', async () => {
    await readAndLeave(await open('bytes=0-'), 8 * MB);
    const base = memory();
    const quarter = Math.ceil(SIZE / 4);
    const { peak } = await peakDuring(memory, () =>
      Promise.all(
        [0, 1, 2, 3].map(async (part) => {
          const [start, end] = [part * quarter, Math.min((part + 1) * quarter, SIZE)];
          let length = 0;
          for await (const chunk of await open(`bytes=${start}-${end - 1}`))
            length += (chunk as Buffer).length;
          expect(length).toBe(end - start);
        }),
      ),
    );
    tell(`memory in MB: ${base.toFixed(0)} before, ${peak.toFixed(0)} at most while all of it was read`);
    expect(peak - base).toBeLessThan(ALLOWED_GROWTH_MB);
  }, 600_000);

  it('is not read further for viewers who have left, or who do not read', async () => {
    const [base, before] = [memory(), store.received];
    const { peak } = await peakDuring(memory, async () => {
      for (let viewer = 0; viewer < VIEWERS; viewer++) {
        const response = await open(`bytes=${POSITIONS[viewer % 9]}-`);
        await readAndLeave(response, 65_536);
      }
      const waiting = await Promise.all(
        Array.from({ length: VIEWERS }, (_, viewer) => open(`bytes=${POSITIONS[viewer % 9]}-`)),
      );
      expect((await service.api.get('/readyz')).status).toBe(200);
      for (const response of waiting) await readAndLeave(response, 65_536);
    });
    tell(
      `memory in MB: ${base.toFixed(0)} before, ${peak.toFixed(0)} at most with ${2 * VIEWERS} who left midway`,
    );
    expect(peak - base).toBeLessThan(ALLOWED_GROWTH_MB);
    expect(store.received - before).toBeLessThan(2 * VIEWERS * UNDERWAY);
    await silence();
  });
});

/** The figures of the long run. */
function tell(line: string): void {
  if (process.env['FILM_MB']) process.stdout.write(`  ${line}\n`);
}
