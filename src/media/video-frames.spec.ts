import type { FfmpegProgram, FfmpegResult } from './ffmpeg-program.js';
import type { FrameRequest } from './protocol.js';
import { decodeFrame, isFrameRequest } from './video-frames.js';

const MAX_PIXELS = 1_000_000;
const REQUEST: FrameRequest = {
  kind: 'frame',
  excerpt: new Uint8Array(10),
  width: 4,
  height: 2,
  codedHeight: 2,
  rotation: 0,
  skipBlack: true,
};
const PIXELS = new Uint8Array(4 * 2 * 3);

describe('A request for a frame', () => {
  it('is valid as a decoder sends it', () => expect(isFrameRequest(REQUEST)).toBe(true));

  it.each<[string, object]>([
    ['options of FFmpeg for a size', { width: '4:2,movie=/etc/passwd' }],
    ['a fraction of a pixel', { height: 1.5 }],
    ['no pixels', { width: 0 }],
    ['a longer side than any preview needs', { width: 2_049 }],
    ['text for the height that is stored', { codedHeight: '2' }],
    ['another angle', { rotation: 45 }],
    ['a name of Object for an angle', { rotation: 'constructor' }],
    ['a path instead of bytes', { excerpt: '/etc/passwd' }],
    ['too many bytes', { excerpt: new Uint8Array(65 * 1024 * 1024) }],
    ['text for a flag', { skipBlack: 'yes' }],
  ])('is not valid with %s', (_what, changed) => {
    expect(isFrameRequest({ ...REQUEST, ...changed })).toBe(false);
  });
});

describe('decodeFrame', () => {
  const commands: string[] = [];
  const returning = (log: string, output: FfmpegResult['output'] = PIXELS): FfmpegProgram => ({
    files: { protocol: 'pipe', input: 'pipe:0', output: 'pipe:1' },
    run: (args) => {
      commands.push(args.join(' '));
      return Promise.resolve({ log, output });
    },
    cpuMs: () => 0,
    kill: () => undefined,
  });
  const matrices = () => commands.map((command) => /in_color_matrix=(\w+)/.exec(command)?.[1]);

  beforeEach(() => void commands.splice(0));

  it('runs FFmpeg once when the colours are those that the size suggests', async () => {
    const log = 'color_range:tv color_space:smpte170m color_primaries:smpte170m color_trc:bt709';
    const frame = await decodeFrame(returning(log), REQUEST, MAX_PIXELS);
    expect(frame).toEqual({ pixels: PIXELS, primaries: 'smpte170m', transfer: 'bt709' });
    expect(matrices()).toEqual(['bt601']);
  });

  it('runs it again with the colours of the video when they differ', async () => {
    const log = 'color_range:pc color_space:bt2020nc color_primaries:bt2020 color_trc:arib-std-b67';
    const frame = await decodeFrame(returning(log), REQUEST, MAX_PIXELS);
    expect(frame).toMatchObject({ primaries: 'bt2020', transfer: 'arib-std-b67' });
    expect(matrices()).toEqual(['bt601', 'bt2020']);
  });

  it('rotates a video that is stored sideways', async () => {
    await decodeFrame(returning(''), { ...REQUEST, rotation: 90 }, MAX_PIXELS);
    expect(commands[0]).toContain('scale=2:4:');
    expect(commands[0]).toContain('transpose=clock');
  });

  it.each<[string, FfmpegResult['output']]>([
    ['nothing', null],
    ['half a frame', PIXELS.subarray(12)],
  ])('finds no frame when FFmpeg writes %s', async (_what, output) => {
    expect(await decodeFrame(returning('', output), REQUEST, MAX_PIXELS)).toBeNull();
  });
});
