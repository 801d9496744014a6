import type { JudgedAsset } from './fitness.checks.js';
import { SURFACES } from '../database/entities/asset.entity.js';
import {
  assetFitness,
  channelFitness,
  channelsOf,
  FIT_FOR,
  fitForOf,
  surfaceFitness,
  surfaceOf,
} from './fitness.rules.js';
import { type Channel, type ChannelLimits, CHANNELS, type Limits } from './publishing-limits.js';

type Changes = Partial<JudgedAsset>;

/** Within the limits of every channel. */
const IMAGE: JudgedAsset = {
  mimeType: 'image/jpeg',
  sizeBytes: 500_000,
  width: 1080,
  height: 1080,
  durationMs: null,
  mediaFacts: { isSrgb: true },
};
const VIDEO: JudgedAsset = {
  mimeType: 'video/mp4',
  sizeBytes: 5_000_000,
  width: 720,
  height: 1280,
  durationMs: 20_000,
  mediaFacts: {
    videoCodec: 'avc',
    audioCodec: 'aac',
    sampleRate: 44_100,
    frameRate: 30,
    isIndexFirst: true,
    hasEditList: false,
  },
};
const details = (asset: JudgedAsset, changes: object) => ({
  mediaFacts: { ...asset.mediaFacts, ...changes },
});

/** For each limit: the code of its reason, and values just inside and just outside. */
const EDGES: {
  [Name in keyof Limits]-?: (
    limit: NonNullable<Limits[Name]>,
    asset: JudgedAsset,
    limits: Limits,
  ) => [code: string, inside: Changes[], outside: Changes[]];
} = {
  types: (limit, { mimeType }) => [
    'unsupported_type',
    limit.map((type) => ({ mimeType: type })),
    mimeType === 'video/mp4' ? [] : [{ mimeType: 'image/heic' }],
  ],
  minBytes: (limit) => ['file_too_small', [{ sizeBytes: limit }], [{ sizeBytes: limit - 1 }]],
  maxBytes: (limit, { durationMs }, { maxDurationMs = durationMs }) => [
    'file_too_large',
    [{ sizeBytes: limit, durationMs: maxDurationMs }],
    [{ sizeBytes: limit + 1, durationMs: maxDurationMs }],
  ],
  maxPngBytes: (limit) => [
    'file_too_large',
    [{ mimeType: 'image/png', sizeBytes: limit }],
    [{ mimeType: 'image/png', sizeBytes: limit + 1 }],
  ],
  minWidth: (limit) => [
    'too_narrow',
    [{ width: limit, height: limit }],
    [{ width: limit - 1, height: limit }],
  ],
  maxWidth: (limit) => ['too_wide', [{ width: limit, height: limit }], [{ width: limit + 1, height: limit }]],
  minHeight: (limit) => ['too_low', [{ width: limit, height: limit }], [{ width: limit, height: limit - 1 }]],
  minShorterSide: (limit) => [
    'too_few_pixels',
    [{ width: limit, height: 1280 }],
    [
      { width: limit - 1, height: 1280 },
      { width: 1280, height: limit - 1 },
    ],
  ],
  maxShorterSide: (limit, _asset, { maxLongerSide = limit }) => [
    'too_many_pixels',
    [{ width: limit, height: maxLongerSide }],
    [
      { width: limit + 1, height: maxLongerSide },
      { width: maxLongerSide, height: limit + 1 },
    ],
  ],
  maxLongerSide: (limit) => [
    'too_many_pixels',
    [{ width: limit, height: 900 }],
    [
      { width: limit + 1, height: 900 },
      { width: 900, height: limit + 1 },
    ],
  ],
  maxPixels: (limit) => ['too_many_pixels', [{ width: limit, height: 1 }], [{ width: limit + 1, height: 1 }]],
  minRatio: (limit) => {
    const width = Math.round(limit * 1200);
    return ['ratio_too_tall', [{ width, height: 1200 }], [{ width: width - 1, height: 1200 }]];
  },
  maxRatio: (limit) => {
    const width = Math.round(limit * 400);
    return ['ratio_too_wide', [{ width, height: 400 }], [{ width: width + 1, height: 400 }]];
  },
  ratio: (limit) => {
    const width = limit * 1280;
    const at = (factor: number) => ({ width: Math.round(width * factor), height: 1280 });
    return ['ratio_differs', [at(0.991), at(1), at(1.009)], [at(0.988), at(1.012)]];
  },
  isSrgb: (_limit, asset) => [
    'not_srgb',
    [details(asset, { isSrgb: true })],
    [details(asset, { isSrgb: false })],
  ],
  isPhotograph: (_limit, asset) => [
    'generated_image',
    [details(asset, { digitalSourceType: 'digitalCapture' })],
    [
      details(asset, { digitalSourceType: 'trainedAlgorithmicMedia' }),
      details(asset, { digitalSourceType: 'compositeSynthetic' }),
    ],
  ],
  videoCodecs: (limit, asset) => [
    'unsupported_video_codec',
    limit.map((videoCodec) => details(asset, { videoCodec })),
    ['av1', 'other']
      .filter((codec) => !limit.includes(codec))
      .map((videoCodec) => details(asset, { videoCodec })),
  ],
  audioCodecs: (limit, asset) => [
    'unsupported_audio_codec',
    [...limit, null].map((audioCodec) => details(asset, { audioCodec })),
    [details(asset, { audioCodec: 'opus' })],
  ],
  maxSampleRate: (limit, asset) => [
    'sample_rate_too_high',
    [details(asset, { sampleRate: limit })],
    [details(asset, { sampleRate: limit + 1 })],
  ],
  minFrameRate: (limit, asset) => [
    'frame_rate_too_low',
    [details(asset, { frameRate: limit })],
    [details(asset, { frameRate: limit - 0.01 })],
  ],
  maxFrameRate: (limit, asset) => [
    'frame_rate_too_high',
    [details(asset, { frameRate: limit })],
    [details(asset, { frameRate: limit + 0.01 })],
  ],
  maxBitrate: (limit) => [
    'bitrate_too_high',
    [{ sizeBytes: limit, durationMs: 8_000 }],
    [{ sizeBytes: limit + 1, durationMs: 8_000 }],
  ],
  minDurationMs: (limit) => ['too_short', [{ durationMs: limit }], [{ durationMs: limit - 1 }]],
  maxDurationMs: (limit) => ['too_long', [{ durationMs: limit }], [{ durationMs: limit + 1 }]],
  isIndexFirst: (_limit, asset) => [
    'index_not_first',
    [details(asset, { isIndexFirst: true })],
    [details(asset, { isIndexFirst: false })],
  ],
  hasNoEditList: (_limit, asset) => [
    'has_edit_list',
    [details(asset, { hasEditList: false })],
    [details(asset, { hasEditList: true })],
  ],
};

const names = Object.keys(CHANNELS) as Channel[];
const cases = names.flatMap((channel) =>
  (['image', 'video'] as const).flatMap((kind) => {
    const limits = (CHANNELS[channel] as ChannelLimits)[kind] ?? {};
    return Object.entries(limits).map(([name, limit]) => ({
      channel,
      kind,
      name,
      limit: limit as never,
      limits,
    }));
  }),
);

describe('each published limit', () => {
  it.each(cases)('$channel, $kind, $name: $limit', ({ channel, kind, name, limit, limits }) => {
    const asset = kind === 'image' ? IMAGE : VIDEO;
    const [code, inside, outside] = EDGES[name as keyof Limits](limit, asset, limits);
    for (const change of inside) {
      const fitness = channelFitness({ ...asset, ...change }, channel);
      expect([change, fitness.verdict, fitness.reasons]).toEqual([change, 'ready', []]);
    }
    for (const change of outside) {
      const { verdict, reasons } = channelFitness({ ...asset, ...change }, channel);
      expect(verdict).not.toBe('ready');
      expect(reasons.map((reason) => reason.code)).toContain(code);
      for (const { message, limit: shown, actual } of reasons) {
        expect(message).toMatch(new RegExp(`^${CHANNELS[channel].label} (accepts|requires|expects) .`));
        expect(message).not.toMatch(/undefined|NaN|true|\[object/);
        expect(shown).not.toEqual(actual);
        for (const value of [shown, actual]) expect(String(value)).not.toMatch(/true|false|undefined|NaN/);
      }
    }
  });

  it('describes the limit in words and the actual value in numbers', () => {
    expect(channelFitness({ ...IMAGE, width: 4032, height: 3024 }, 'instagram_feed').reasons).toEqual([
      { code: 'too_wide', message: 'Instagram feed accepts widths up to 1440 px', limit: 1440, actual: 4032 },
    ]);
    expect(channelFitness({ ...IMAGE, mimeType: 'image/heic' }, 'x').reasons).toEqual([
      {
        code: 'unsupported_type',
        message: 'X accepts JPEG, PNG, WebP',
        limit: 'image/jpeg, image/png, image/webp',
        actual: 'image/heic',
      },
    ]);
    expect(
      channelFitness({ ...VIDEO, durationMs: 140_001 }, 'x').reasons.map(({ message }) => message),
    ).toEqual(['X accepts videos up to 140 s']);
  });

  it('shows a codec by the name in the file, whatever that is', () => {
    const named = { ...VIDEO, mediaFacts: { ...VIDEO.mediaFacts, videoCodec: 'constructor' } };
    const [reason] = channelFitness(named, 'tiktok').reasons;
    expect(reason).toMatchObject({ code: 'unsupported_video_codec', actual: 'constructor' });
  });

  it('ignores unknown facts about a file', () => {
    for (const channel of names) {
      expect(channelFitness({ ...IMAGE, mediaFacts: null }, channel)).toEqual(channelFitness(IMAGE, channel));
      const unknown = { ...VIDEO, mediaFacts: null, durationMs: null };
      expect(channelFitness(unknown, channel)).toEqual(channelFitness(VIDEO, channel));
    }
  });

  it('has a source', () => {
    for (const { source, date, label } of Object.values(CHANNELS)) {
      expect(source.length).toBeGreaterThan(10);
      expect(label).not.toBe('');
      if (date !== null) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    }
  });
});

describe('a channel', () => {
  it('is fixable for an image if `fit` meets its limits, and never for a video', () => {
    expect(
      channelFitness({ ...IMAGE, mimeType: 'image/heic', width: 6000, height: 1000 }, 'instagram_feed'),
    ).toMatchObject({
      verdict: 'fixable',
      fix: 'fit',
    });
    expect(channelFitness({ ...IMAGE, width: 319, height: 319 }, 'instagram_feed')).toMatchObject({
      verdict: 'blocked',
      fix: null,
      reasons: [{ code: 'too_narrow', limit: 320, actual: 319 }],
    });
    expect(channelFitness({ ...VIDEO, durationMs: 1_000 }, 'linkedin')).toMatchObject({
      verdict: 'blocked',
      fix: null,
    });
  });

  it('first names what not even `fit` can fix', () => {
    // Cropped to 1.91:1, it is 305 px wide.
    const { verdict, reasons } = channelFitness({ ...IMAGE, width: 500, height: 160 }, 'instagram_feed');
    expect(verdict).toBe('blocked');
    expect(reasons.map(({ code, actual }) => [code, actual])).toEqual([
      ['too_narrow', 305],
      ['ratio_too_wide', 3.125],
    ]);
  });

  it('blocks types that it does not accept', () => {
    expect(channelFitness(VIDEO, 'instagram_feed').reasons).toMatchObject([
      { code: 'unsupported_type', limit: 'image/jpeg', actual: 'video/mp4' },
    ]);
    expect(channelFitness(IMAGE, 'gbp_video')).toMatchObject({ verdict: 'blocked', fix: null });
  });

  it('is never ready for a picture if it takes only its cover or thumbnail', () => {
    for (const [channel, cover] of [
      ['instagram_reel', 'instagram_reel_cover'],
      ['youtube_short', 'youtube_thumbnail'],
    ] as const) {
      expect(channelFitness(IMAGE, cover).verdict).toBe('ready');
      expect(channelFitness(IMAGE, channel)).toMatchObject({
        verdict: 'blocked',
        reasons: [{ code: 'unsupported_type', limit: 'video/mp4', actual: 'image/jpeg' }],
      });
      expect(channelFitness(VIDEO, cover).verdict).toBe('blocked');
    }
  });

  it('warns of published limits that it may not enforce, and says what to do', () => {
    for (const channel of ['instagram_reel', 'instagram_story'] as const) {
      expect(channelFitness(VIDEO, channel).warnings).toEqual([]);
      const edited = channelFitness({ ...VIDEO, ...details(VIDEO, { hasEditList: true }) }, channel);
      expect(edited).toMatchObject({
        verdict: 'ready',
        reasons: [],
        warnings: [{ code: 'has_edit_list', remedy: expect.stringContaining('-use_editlist 0') }],
      });
    }
    const on = (changes: Changes) => channelFitness({ ...VIDEO, ...changes }, 'x');
    expect(on({ width: 1280, height: 720 })).toMatchObject({ verdict: 'ready', warnings: [] });
    expect(on({ width: 1920, height: 1080 })).toMatchObject({
      verdict: 'ready',
      warnings: [
        { code: 'too_many_pixels', limit: 1280, remedy: expect.stringContaining('X Premium') },
        { code: 'too_many_pixels', limit: 1024 },
      ],
    });
    expect(on({ width: 3840, height: 2160 }).verdict).toBe('blocked');
    expect(on(details(VIDEO, { frameRate: 60 }))).toMatchObject({ verdict: 'ready', warnings: [] });
  });

  it('accepts stories of 10 MB on Facebook, and videos of 75 MB on a Business Profile', () => {
    expect(channelFitness({ ...IMAGE, sizeBytes: 10_000_000 }, 'facebook_story').verdict).toBe('ready');
    expect(channelFitness({ ...VIDEO, sizeBytes: 75_000_000 }, 'gbp_video').verdict).toBe('ready');
  });

  it('gives advice beyond its limits without changing the result', () => {
    expect(channelFitness(IMAGE, 'instagram_story')).toMatchObject({
      verdict: 'ready',
      advice: [{ code: 'ratio_differs', message: 'Instagram story expects the aspect ratio 9:16' }],
    });
    expect(channelFitness({ ...IMAGE, width: 1080, height: 1920 }, 'instagram_story').advice).toEqual([]);
    expect(channelFitness({ ...IMAGE, width: 719 }, 'gbp_photo').advice).toMatchObject([
      { code: 'too_narrow', limit: 720 },
    ]);
  });
});

describe('a surface', () => {
  it('is ready for an image that every channel accepts unchanged', () => {
    for (const surface of SURFACES)
      expect(surfaceFitness(IMAGE, surface)).toMatchObject({ verdict: 'ready', reasons: [], fix: null });
  });

  it('is fixable for an image that one channel does not accept unchanged', () => {
    const fitness = surfaceFitness({ ...IMAGE, width: 1441 }, 'social');
    expect(fitness).toMatchObject({
      verdict: 'fixable',
      reasons: [{ code: 'too_wide' }],
      fix: 'fit',
      channels: { instagram_feed: 'fixable', linkedin: 'ready' },
    });
  });

  it('is blocked for an image that one channel cannot accept at all', () => {
    expect(surfaceFitness({ ...IMAGE, width: 300, height: 300 }, 'social')).toMatchObject({
      verdict: 'blocked',
      fix: null,
      channels: { instagram_feed: 'blocked', facebook: 'ready' },
    });
    expect(surfaceFitness({ ...IMAGE, sizeBytes: 9_000 }, 'gbp')).toMatchObject({ verdict: 'blocked' });
  });

  it('ignores covers', () => {
    const heavy = { ...IMAGE, sizeBytes: 3_000_000 };
    expect(channelFitness(heavy, 'youtube_thumbnail').verdict).toBe('fixable');
    expect(surfaceFitness(heavy, 'social').verdict).toBe('ready');
  });

  it('is ready for a video that one channel accepts, and otherwise blocked with the closest channel’s reasons', () => {
    const long = { ...VIDEO, durationMs: 200_000 };
    expect(surfaceFitness(long, 'social')).toMatchObject({
      verdict: 'ready',
      reasons: [],
      channels: { linkedin: 'ready', x: 'blocked', instagram_feed: 'blocked' },
    });
    const endless = { ...VIDEO, durationMs: 20_000_000 };
    const blocked = surfaceFitness(endless, 'social');
    expect(blocked).toMatchObject({ verdict: 'blocked', reasons: [{ code: 'too_long' }], fix: null });
    expect(blocked.reasons).toHaveLength(1);
    expect(surfaceFitness(endless, 'website').verdict).toBe('ready');
    expect(surfaceFitness({ ...VIDEO, width: 719 }, 'gbp')).toMatchObject({ verdict: 'blocked' });
  });

  it('names three reasons at most, each once', () => {
    const { reasons } = surfaceFitness(
      { ...IMAGE, mimeType: 'image/heic', width: 9000, height: 1000, sizeBytes: 30_000_000 },
      'social',
    );
    expect(reasons).toHaveLength(3);
    expect(new Set(reasons.map(({ code }) => code)).size).toBe(3);
  });
});

describe('what an asset is fit for', () => {
  it('are the surfaces and channels where it is ready or can be fixed', () => {
    const names = (asset: JudgedAsset) => fitForOf(assetFitness(asset)).filter((name) => !name.includes(':'));
    expect(names({ ...IMAGE, width: 300, height: 300 })).toEqual([
      'website',
      'wordpress',
      'instagram_reel_cover',
      'instagram_story',
      'facebook',
      'facebook_story',
      'linkedin',
      'x',
      'tiktok',
      'pinterest',
      'youtube_thumbnail',
      'gbp',
      'gbp_photo',
    ]);
    expect(names({ ...IMAGE, mimeType: 'image/heic' })).toContain('social');
    expect(names({ ...VIDEO, durationMs: 20_000_000 })).toEqual(['website', 'wordpress']);
  });

  it('is recorded with the verdict, too', () => {
    const heic = fitForOf(assetFitness({ ...IMAGE, mimeType: 'image/heic' }));
    expect(heic).toEqual(expect.arrayContaining(['social', 'social:fixable']));
    expect(heic).not.toContain('social:ready');
    expect(fitForOf(assetFitness({ ...VIDEO, durationMs: 20_000_000 }))).toEqual([
      'website',
      'website:ready',
      'wordpress',
      'wordpress:ready',
    ]);
  });

  it('can be filtered by surface and by channel', () => {
    expect(FIT_FOR).toEqual([...SURFACES, ...names]);
    expect(surfaceOf('gbp')).toBe('gbp');
    for (const surface of SURFACES)
      for (const channel of channelsOf(surface)) expect(surfaceOf(channel)).toBe(surface);
  });

  it('takes little space in a record', () => {
    const heic = {
      ...IMAGE,
      mimeType: 'image/heic' as const,
      width: 4032,
      height: 3024,
      sizeBytes: 2_182_707,
    };
    expect(JSON.stringify(assetFitness(heic)).length).toBeLessThan(1_300);
    expect(JSON.stringify(assetFitness(IMAGE)).length).toBeLessThan(600);
  });
});
