import { z } from 'zod';
import { type Surface, SURFACES } from '../../database/entities/asset.entity.js';
import { Problem } from '../../common/errors/problem.js';
import { surfaceOf } from '../../fitness/fitness.rules.js';
import { type Channel, CHANNELS } from '../../fitness/publishing-limits.js';

/** Inputs that several tools share. Here they are limited and described; the services validate their meaning. */
export const clientId = z
  .string()
  .max(64)
  .optional()
  .describe('Needed only when the key has several clients');
export const assetRef = z.string().max(100).describe('Such as asset_01h455vb4pex5vsknk084sn02q');
export const surface = z.enum(SURFACES);
export const channel = z
  .enum(Object.keys(CHANNELS) as [Channel, ...Channel[]])
  .optional()
  .describe(
    'A reel or a Short is a video; a picture can only be its instagram_reel_cover or youtube_thumbnail',
  );
export const cursor = z.string().max(3_000).optional().describe('nextCursor of the previous page');

export const assetRefs = (max: number) => z.array(assetRef).min(1).max(max);

export function requireChannelOf(surface: Surface, channel: Channel | undefined): void {
  if (channel && surfaceOf(channel) !== surface)
    throw Problem.validation('channel', `${channel} belongs to the surface ${surfaceOf(channel)}`);
}
