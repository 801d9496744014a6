import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeConfinement, findConfinement } from '../../../src/media/confinement.js';
import { DecoderPool } from '../../../src/media/decoder-pool.js';
import { MediaDecoder } from '../../../src/media/media-decoder.js';
import { mediaDefaults } from '../../../src/media/media-defaults.js';
import { type Confinement, UNCONFINED } from '../../../src/media/media.types.js';
import { OWNER } from '../../support/media/media-harness.js';

/** A child controlled by an attacker: tries what it should not be able to do, and reports the result. */
const PROBE = `
const fs = require('node:fs');
const net = require('node:net');
const { spawnSync } = require('node:child_process');
const attempt = (work) => { try { return work() ?? 'done'; } catch (error) { return error.code ?? error.message; } };
const connect = (port) => new Promise((resolve) => {
  const socket = net.connect(port, '127.0.0.1', () => resolve('done')).on('error', (error) => resolve(error.code));
  socket.unref();
});
process.on('disconnect', () => process.exit(0));
process.on('message', async ({ kind, sizeBytes, bytes }) => {
  if (kind === 'inspect') return process.send({ kind: 'read', start: 0, end: sizeBytes });
  const { own, outside, port } = JSON.parse(Buffer.from(bytes).toString());
  const message = JSON.stringify({
    pid: process.pid,
    temporaryFileRead: attempt(() => fs.readFileSync(own, 'utf8')),
    temporaryFileWrite: attempt(() => fs.writeFileSync(own + '-written', 'x')),
    environment: Object.keys(process.env),
    parentEnvironment: attempt(() => fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8')),
    outsideRead: attempt(() => fs.readFileSync(outside, 'utf8')),
    outsideWrite: attempt(() => fs.writeFileSync(outside + '-written', 'x')),
    command: attempt(() => spawnSync('true').status === 0 ? 'done' : 'failed'),
    network: await connect(port),
    status: attempt(() => fs.readFileSync('/proc/self/status', 'utf8')),
    limits: attempt(() => fs.readFileSync('/proc/self/limits', 'utf8')),
  });
  process.send({ kind: 'refused', code: 'media_invalid', message, rss: 1, mustRestart: false });
});
process.send({ kind: 'ready' });
`;

describe('What a decoder child can reach', () => {
  const folder = mkdtempSync(join(tmpdir(), 'confinement-'));
  const entry = join(folder, 'app/child/probe.cjs');
  const files = join(tmpdir(), `asset-library-file-${process.pid}`);
  const outside = join(folder, 'secret.txt');
  let server: Server;
  beforeAll(async () => {
    mkdirSync(join(folder, 'app/child'), { recursive: true });
    mkdirSync(files);
    writeFileSync(entry, PROBE);
    writeFileSync(outside, 'a secret');
    process.env['PROBED_SECRET'] = 'x';
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
    rmSync(files, { recursive: true });
  });

  const probe = async (used: Confinement) => {
    const options = { ...mediaDefaults, entry, confinement: used, decoders: 4 };
    const pool = new DecoderPool(options);
    const path = join(files, 'job.json');
    const { port } = server.address() as AddressInfo;
    writeFileSync(path, JSON.stringify({ own: path, outside, port }));
    try {
      const inspected = new MediaDecoder(pool, options).inspect(OWNER, { kind: 'file', path }, 'image/png');
      const { message } = (await inspected.catch((error: Error) => error)) as Error;
      expect(message).toMatch(/^\{/);
      const found = JSON.parse(message) as Record<string, string> & { pid: number };
      // The wrapper has become the child, so the time limit kills the child itself.
      expect(pool.pids()).toEqual([found.pid]);
      return found;
    } finally {
      await pool.close();
    }
  };

  /** Wrapper commands and the permission model protect against different things, and either may be missing. */
  const found = () => describeConfinement(findConfinement(entry));

  // The tests below only check the measures that were found. This one checks that every measure the machine supports is found.
  it('is confined by every measure that this machine supports', () => {
    const works = (command: string, ...args: string[]) =>
      spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0;
    const noNewPrivileges = works('prlimit', '--core=0') && works('setpriv', '--no-new-privs');
    const namespaces = works('unshare', '--user', '--map-user=65534', '--map-group=65534', '--net', '--');
    const flags = process.allowedNodeEnvironmentFlags;
    expect(found()).toEqual({
      noNewPrivileges,
      namespaces: noNewPrivileges && namespaces,
      permissionModel: flags.has('--permission') || flags.has('--experimental-permission'),
    });
  });

  it('reaches everything when it is not confined', async () => {
    const reached = await probe(UNCONFINED);
    expect(reached).toMatchObject({
      outsideRead: 'a secret',
      outsideWrite: 'done',
      temporaryFileRead: expect.stringContaining('port'),
      temporaryFileWrite: 'done',
      network: 'done',
      command: 'done',
    });
    expect(reached['environment']).not.toContain('PROBED_SECRET');
  });

  it("has neither network, nor the service's environment, nor privileges, according to the kernel", async () => {
    if (!found().namespaces) return;
    const { wrapper } = findConfinement(entry);
    const reached = await probe({ wrapper, nodeFlags: [] });
    expect(reached['parentEnvironment']).toMatch(/^(EACCES|EPERM)$/);
    expect(reached['network']).toMatch(/^(ENETUNREACH|EADDRNOTAVAIL|ECONNREFUSED)$/);
    expect(reached['status']).toMatch(/NoNewPrivs:\s+1/);
    expect(reached['status']).toMatch(/CapEff:\s+0+\n/);
    expect(reached['limits']).toMatch(/Max core file size\s+0\s/);
  });

  it("reads nothing but its code, not even temporary files, writes nothing and runs nothing, by Node's permission model", async () => {
    if (!found().permissionModel) return;
    const { nodeFlags } = findConfinement(entry);
    const refused = 'ERR_ACCESS_DENIED';
    expect(await probe({ wrapper: [], nodeFlags })).toMatchObject({
      parentEnvironment: refused,
      outsideRead: refused,
      outsideWrite: refused,
      temporaryFileRead: refused,
      temporaryFileWrite: refused,
      command: refused,
    });
  });

  it('is confined by all of it together', async () => {
    const reached = await probe(findConfinement(entry));
    if (found().permissionModel) expect(reached['outsideRead']).toBe('ERR_ACCESS_DENIED');
    if (found().namespaces) expect(reached['network']).not.toBe('done');
  });

  it('does not use the wrapper commands if they do not work', async () => {
    const { wrapper } = findConfinement(join(folder, 'not-readable.cjs'));
    expect(wrapper).toEqual([]);
    await probe({ ...findConfinement(entry), wrapper });
  });
});
