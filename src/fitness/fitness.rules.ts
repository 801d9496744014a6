import {
  type AssetFitness,
  type Reason,
  type Surface,
  type SurfaceFitness,
  SURFACES,
  type Verdict,
} from '../database/entities/asset.entity.js';
import { isVideo } from '../media/file-types.js';
import { type Check, CHECKS, type Facts, type JudgedAsset } from './fitness.checks.js';
import { fitSize } from './fit.rules.js';
import { type Channel, type ChannelLimits, CHANNELS, FIT_TARGETS, type Limits } from './publishing-limits.js';

/** A published limit that the file does not meet, but that the channel may not enforce. */
export interface FitnessWarning extends Reason {
  readonly remedy: string;
}

export interface ChannelFitness {
  readonly verdict: Verdict;
  readonly reasons: Reason[];
  /** The rendition that meets the limits if the file itself does not. */
  readonly fix: 'fit' | null;
  /** Recommendations of the channel, beyond its limits, that the file does not meet. */
  readonly advice: Reason[];
  readonly warnings: FitnessWarning[];
}

/** In an asset record. The response for a single asset contains all of them. */
const MAX_REASONS = 3;
const SEVERITY: Record<Verdict, number> = { ready: 0, fixable: 1, blocked: 2 };
const CHANNEL_NAMES = Object.keys(CHANNELS) as Channel[];
const CHANNELS_OF = Object.fromEntries(
  SURFACES.map((surface) => [surface, CHANNEL_NAMES.filter((name) => CHANNELS[name].surface === surface)]),
) as Record<Surface, Channel[]>;

/** Surfaces and channels by which a library can be filtered. */
export const FIT_FOR: readonly (Surface | Channel)[] = [...SURFACES, ...CHANNEL_NAMES];
export type FitFor = Surface | Channel;

export function channelsOf(surface: Surface): readonly Channel[] {
  return CHANNELS_OF[surface];
}

export function surfaceOf(fitFor: FitFor): Surface {
  return fitFor in CHANNELS ? CHANNELS[fitFor as Channel].surface : (fitFor as Surface);
}

export function channelFitness(asset: JudgedAsset, channel: Channel): ChannelFitness {
  const limits: ChannelLimits = CHANNELS[channel];
  const kind = kindOf(asset);
  const own = limits[kind];
  if (own === null) {
    const other = limits[kind === 'image' ? 'video' : 'image'];
    return {
      verdict: 'blocked',
      reasons: broken({ types: other?.types ?? [] }, asset, limits),
      fix: null,
      advice: [],
      warnings: [],
    };
  }
  const advice = broken(limits.recommended?.[kind] ?? {}, asset, limits);
  const warnings = (limits.warnings?.[kind] ?? []).flatMap(({ limits: published, remedy }) =>
    broken(published, asset, limits).map((reason) => ({ ...reason, remedy })),
  );
  const reasons = broken(own, asset, limits);
  if (reasons.length === 0) return { verdict: 'ready', reasons, fix: null, advice, warnings };
  const left = kind === 'image' ? broken(own, fitted(asset, limits.surface), limits) : reasons;
  if (left.length === 0) return { verdict: 'fixable', reasons, fix: 'fit', advice, warnings };
  // Limits that not even the rendition can meet come first, because they block the asset.
  return { verdict: 'blocked', reasons: distinct([...left, ...reasons]), fix: null, advice, warnings };
}

/**
 * An image can be made to fit, so a surface gets the result of its worst channel: `ready` means that the file can be used anywhere
 * unchanged. A video is never converted, so a surface gets the result of its best channel: `ready` means that at least one channel accepts
 * it.
 */
export function surfaceFitness(asset: JudgedAsset, surface: Surface): SurfaceFitness {
  const kind = kindOf(asset);
  const judged = channelsOf(surface).map((name) => ({ name, ...channelFitness(asset, name) }));
  const deciding = judged.filter(({ name }) => decides(CHANNELS[name], kind));
  const sorted = [...deciding].sort(
    (a, b) => SEVERITY[b.verdict] - SEVERITY[a.verdict] || a.reasons.length - b.reasons.length,
  );
  const channels = Object.fromEntries(judged.map(({ name, verdict }) => [name, verdict]));
  if (kind === 'video') {
    const best = sorted.find(({ verdict }) => verdict === 'ready') ?? sorted[0]!;
    return { verdict: best.verdict, reasons: best.reasons.slice(0, MAX_REASONS), fix: null, channels };
  }
  const { verdict, fix } = sorted[0]!;
  const worst = sorted.filter((one) => one.verdict === verdict).flatMap(({ reasons }) => reasons);
  return { verdict, reasons: distinct(worst).slice(0, MAX_REASONS), fix, channels };
}

export function assetFitness(asset: JudgedAsset): AssetFitness {
  return Object.fromEntries(
    SURFACES.map((surface) => [surface, surfaceFitness(asset, surface)]),
  ) as AssetFitness;
}

/** In `fit_for`: the asset can be published on the surface or channel, or has this verdict there. */
export function fitToken(fitFor: FitFor, verdict?: Verdict): string {
  return verdict === undefined ? fitFor : `${fitFor}:${verdict}`;
}

/** The surfaces and channels on which the asset can be published, unchanged or as `fit`, and with which verdict. */
export function fitForOf(fitness: AssetFitness): string[] {
  return SURFACES.flatMap((surface) => {
    const { verdict, channels } = fitness[surface];
    const entries: [FitFor, Verdict][] = [
      [surface, verdict],
      ...(Object.entries(channels) as [Channel, Verdict][]),
    ];
    return entries
      .filter(([, each]) => each !== 'blocked')
      .flatMap(([name, each]) => [fitToken(name), fitToken(name, each)]);
  });
}

function kindOf({ mimeType }: JudgedAsset): 'image' | 'video' {
  return isVideo(mimeType) ? 'video' : 'image';
}

function decides(limits: ChannelLimits, kind: 'image' | 'video'): boolean {
  return limits[kind] !== null && !(kind === 'image' && limits.imageIsCover);
}

/** What is known about the asset's `fit` rendition before it is made. */
function fitted(asset: JudgedAsset, surface: Surface): JudgedAsset {
  return {
    ...asset,
    ...fitSize(asset, surface, 'original'),
    mimeType: 'image/jpeg',
    sizeBytes: Math.min(asset.sizeBytes, FIT_TARGETS[surface].maxBytes),
    mediaFacts: { ...asset.mediaFacts, isSrgb: true },
  };
}

function broken(limits: Limits, asset: JudgedAsset, { label }: ChannelLimits): Reason[] {
  const facts: Facts = { ...asset, ...asset.mediaFacts };
  return Object.entries(limits).flatMap(([name, limit]) => {
    const check = CHECKS[name as keyof Limits] as Check<unknown, unknown>;
    const actual = check.actual(facts);
    if (actual === undefined || actual === null || check.holds(actual, limit)) return [];
    const message = `${label} ${check.describe(limit)}`;
    return { code: check.code, message, limit: shown(limit, check), actual: shown(actual, check) };
  });
}

function shown(value: unknown, { words = {} }: Check<unknown, unknown>): number | string {
  if (typeof value === 'number') return Math.round(value * 10_000) / 10_000;
  const text = String(value);
  if (Array.isArray(value)) return value.join(', ');
  return Object.hasOwn(words, text) ? words[text]! : text;
}

function distinct(reasons: readonly Reason[]): Reason[] {
  const seen = new Map<string, Reason>();
  for (const reason of reasons) if (!seen.has(reason.code)) seen.set(reason.code, reason);
  return [...seen.values()];
}
