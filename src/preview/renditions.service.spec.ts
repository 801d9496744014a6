import { setImmediate } from 'node:timers/promises';
import type { StoredAsset } from '../database/entities/asset.entity.js';
import type { Config } from '../config/config.js';
import type { WorkOwner } from '../common/fair-limiter.js';
import type { RenditionMaker } from './rendition-maker.js';
import { EAGER, type Rendition } from './rendition.rules.js';
import type { RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

const asset = { id: 'a', clientId: 'c' } as StoredAsset;
const [thumb] = EAGER as [Rendition];

/** Background work starts rendering only when the test releases it. */
function setUp() {
  const held = new Set<string>();
  const stored: string[] = [];
  let isReady = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const take = (_asset: StoredAsset, names: readonly string[]) =>
    Promise.resolve(names.filter((name) => !held.has(name) && held.add(name)));
  const repository = {
    takeMissing: take,
    findSettled: (_id: string, names: readonly string[]) =>
      Promise.resolve(names.filter((name) => held.has(name))),
    setReady: () => Promise.resolve(void (isReady = true)),
    find: () => Promise.resolve(isReady ? { status: 'ready', sha256: '', sizeBytes: 1 } : null),
  };
  const maker = {
    inTurn: <T>(_owner: WorkOwner, work: () => Promise<T>) => work(),
    render: async ({ priority }: WorkOwner, _asset: StoredAsset, renditions: readonly Rendition[]) => {
      if (priority === 'background') await released;
      return renditions.map(({ name }) => ({ name, by: priority }));
    },
    store: (_asset: StoredAsset, renditions: readonly Rendition[], rendered: { by: string }[]) => {
      for (const { name } of renditions) stored.push(`${name} by ${rendered[0]!.by}`);
      return Promise.resolve(renditions.map(({ name }) => ({ name })));
    },
    make: async (owner: WorkOwner, of: StoredAsset, renditions: readonly Rendition[]) =>
      maker.store(of, renditions, await maker.render(owner, of, renditions)),
  };
  const service = new RenditionsService(
    repository as unknown as RenditionsRepository,
    maker as unknown as RenditionMaker,
    { worker: 'inline' } as Config,
  );
  return { service, stored, release };
}

describe('The renditions that pages request first', () => {
  it('are made together by the first request for one of them', async () => {
    const { service, stored } = setUp();
    await Promise.all(EAGER.map((each) => service.get(asset, each, null)));
    expect(stored).toEqual(['thumb.webp by interactive', 'small.webp by interactive']);
  });
});

describe('Renditions made in the background', () => {
  it('never delay a request for one of them', async () => {
    const { service, stored, release } = setUp();
    const background = service.makeMissing(asset, EAGER);
    await setImmediate();
    await service.get(asset, thumb, null);
    expect(stored).toEqual(['thumb.webp by interactive', 'small.webp by interactive']);
    release();
    await background;
    expect(stored).toHaveLength(2);
  });

  it('are not rendered when they exist', async () => {
    const { service, stored } = setUp();
    await service.get(asset, thumb, null);
    await service.makeMissing(asset, EAGER);
    expect(stored).toEqual(['thumb.webp by interactive', 'small.webp by interactive']);
  });

  it('are dropped when they are no longer needed', async () => {
    const { service, stored } = setUp();
    await service.makeMissing(asset, EAGER, () => false);
    expect(stored).toEqual([]);
  });
});
