import { Bucket } from '../support/store/bucket.js';
import { newClient } from '../support/api/people.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const AT_ONCE = 50;

describe('Finalizing one token many times concurrently', () => {
  let service: Service;
  let second: Service;
  let sides: Uploader[];
  beforeAll(async () => {
    service = await startService({ AUTH_ACCESS_TOKEN_SECONDS: '86400' });
    second = await service.another();
    const owner = await service.api.signIn(OWNER);
    const clientId = await newClient(owner);
    sides = [owner, await second.api.signIn(OWNER)].map((api) => Uploader.admin(api, clientId));
  });
  afterAll(() => Promise.all([service.stop(), second.stop()]));

  const round = async (over: Uploader[]) => {
    const session = await over[0]!.stage(uniqueJpeg());
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => over[index % over.length]!.finalize(session)),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const { status, body } of responses) {
      expect([200, 201]).toContain(status);
      expect(body).toEqual(created[0]!.body);
    }
    const rows = await query(service.databaseUrl, 'SELECT id FROM assets WHERE session_id = $1', [
      session.sessionId,
    ]);
    expect(rows).toEqual([{ id: created[0]!.body.assetId }]);
  };

  it(
    `creates one asset and returns equal responses, in ${ROUNDS} rounds`,
    async () => {
      for (let count = 0; count < ROUNDS; count++) await round(sides.slice(0, 1));
    },
    60_000 + ROUNDS * 5_000,
  );

  it(
    `does so with two processes as well, in ${ROUNDS} rounds`,
    async () => {
      for (let count = 0; count < ROUNDS; count++) await round(sides);
    },
    60_000 + ROUNDS * 5_000,
  );

  it('leaves each asset with its bytes', async () => {
    const bucket = new Bucket(service);
    expect(await bucket.expectEveryAssetWhole()).toHaveLength(ROUNDS * 2);
    bucket.close();
  });

  it('names another asset for all but one of the copies finalized at once', async () => {
    const file = uniqueJpeg();
    const over = (index: number) => sides[index % sides.length]!;
    const sessions = await Promise.all(Array.from({ length: 8 }, (_, index) => over(index).stage(file)));
    const assets = await Promise.all(sessions.map((session, index) => over(index).finalize(session)));
    expect(assets.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(assets.filter(({ body }) => body.duplicateOf === null)).toHaveLength(1);
  });
});
