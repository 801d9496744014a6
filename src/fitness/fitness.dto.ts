import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { AssetFitness, Surface, Verdict } from '../database/entities/asset.entity.js';
import type { JudgedAsset } from './fitness.checks.js';
import { isVideo } from '../media/file-types.js';
import { fitSize, isLargeEnough } from './fit.rules.js';
import { channelFitness } from './fitness.rules.js';
import {
  type Channel,
  type ChannelLimits,
  CHANNELS,
  type CropShape,
  type FitShape,
  RULES_VERSION,
  SHAPE_CHANNELS,
  SHAPE_RATIOS,
} from './publishing-limits.js';

export class FitnessReasonDto {
  // Swagger puts manually described members first, whatever their order here, so all of them are.
  @ApiProperty({ example: 'too_wide' })
  code: string;
  @ApiProperty({ example: 'Instagram feed accepts widths up to 1440 px' })
  message: string;
  @ApiProperty({ oneOf: [{ type: 'number' }, { type: 'string' }], example: 1440 })
  limit: number | string;
  @ApiProperty({ oneOf: [{ type: 'number' }, { type: 'string' }], example: 4032 })
  actual: number | string;
}

export class FitnessWarningDto extends FitnessReasonDto {
  @ApiProperty({ example: 'Many encoders write one. If Instagram rejects the video, remove it.' })
  remedy: string;
}

export class WebsiteChannelsDto {
  wordpress: Verdict;
}

export class SocialChannelsDto {
  instagram_feed: Verdict;
  instagram_reel: Verdict;
  instagram_reel_cover: Verdict;
  instagram_story: Verdict;
  facebook: Verdict;
  facebook_story: Verdict;
  linkedin: Verdict;
  x: Verdict;
  tiktok: Verdict;
  pinterest: Verdict;
  youtube_short: Verdict;
  youtube_thumbnail: Verdict;
}

export class GbpChannelsDto {
  gbp_photo: Verdict;
  gbp_video: Verdict;
}

export class WebsiteFitnessDto {
  /**
   * Images: `ready` if every channel accepts the file unchanged, `fixable` if every channel accepts the rendition in `fix`, otherwise
   * `blocked`. Videos are never converted: `ready` if at least one channel accepts the file, otherwise `blocked`.
   */
  verdict: Verdict;
  /** At most three. `GET …/assets/:assetId/fitness` returns all of them, per channel. */
  reasons: FitnessReasonDto[];
  /** The rendition that meets the limits. Null if none is needed or none would help. */
  fix: 'fit' | null;
  channels: WebsiteChannelsDto;
}

export class SocialFitnessDto {
  /** As for the website. */
  verdict: Verdict;
  reasons: FitnessReasonDto[];
  fix: 'fit' | null;
  channels: SocialChannelsDto;
}

export class GbpFitnessDto {
  /** As for the website. */
  verdict: Verdict;
  reasons: FitnessReasonDto[];
  fix: 'fit' | null;
  channels: GbpChannelsDto;
}

/** The file checked against the publishing limits of each surface. A hint: nothing is ever rejected because of it. */
export class AssetFitnessDto {
  website: WebsiteFitnessDto;
  social: SocialFitnessDto;
  gbp: GbpFitnessDto;
}

class ListedWebsiteFitnessDto extends OmitType(WebsiteFitnessDto, ['reasons']) {}
class ListedSocialFitnessDto extends OmitType(SocialFitnessDto, ['reasons']) {}
class ListedGbpFitnessDto extends OmitType(GbpFitnessDto, ['reasons']) {}

/** In lists, without the reasons. */
export class ListedFitnessDto {
  website: ListedWebsiteFitnessDto;
  social: ListedSocialFitnessDto;
  gbp: ListedGbpFitnessDto;

  static from(fitness: AssetFitness): ListedFitnessDto {
    const entries = Object.entries(fitness).map(([surface, { verdict, fix, channels }]) => [
      surface,
      { verdict, fix, channels },
    ]);
    // Complete: a test compares it with the limits.
    return Object.fromEntries(entries) as ListedFitnessDto;
  }
}

export class ChannelFitnessDto {
  /** @example "instagram_feed" */
  channel: string;
  surface: Surface;
  /** @example "Instagram feed" */
  label: string;
  verdict: Verdict;
  reasons: FitnessReasonDto[];
  /** The rendition that meets the limits. Null if none is needed or none would help. */
  fix: 'fit' | null;
  /** Recommendations of the channel, beyond its limits, that the file does not meet. */
  advice: FitnessReasonDto[];
  /** Published limits that the file does not meet, but that the channel may not enforce. They do not change the result. */
  warnings: FitnessWarningDto[];
  /** @example "Meta, Instagram Platform, IG User Media, v25.0" */
  source: string;
  /**
   * When the source was last checked. Null if it has no date.
   * @example "2026-03-01"
   */
  sourceDate: string | null;
  /** @example ["A carousel can have 2 to 10 images."] */
  notes: string[];
}

/** A `fit` rendition with a fixed aspect ratio, cropped around the focal point. */
export class CropDto {
  /** @example "social" */
  fit: Surface;
  /** @example "square" */
  shape: FitShape;
  /** In pixels. Never enlarged. */
  width: number;
  height: number;
  /** There is no such rendition, because the image is too small for it. */
  isTooSmall: boolean;
  /**
   * The channels on which this shape is common.
   * @example ["instagram_feed", "facebook", "linkedin"]
   */
  channels: string[];

  static ofSocial(asset: JudgedAsset): CropDto[] {
    if (isVideo(asset.mimeType)) return [];
    return (Object.keys(SHAPE_RATIOS) as CropShape[]).map((shape) => ({
      fit: 'social',
      shape,
      ...fitSize(asset, 'social', shape),
      isTooSmall: !isLargeEnough(asset, 'social', shape),
      channels: [...SHAPE_CHANNELS[shape]],
    }));
  }
}

export class FitnessDto {
  /**
   * The date of the rules.
   * @example "2026-11-16"
   */
  rules: string;
  channels: ChannelFitnessDto[];
  /** The crops for social networks. Empty for videos. */
  crops: CropDto[];

  static of(asset: JudgedAsset): FitnessDto {
    return {
      rules: String(RULES_VERSION).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
      channels: (Object.entries(CHANNELS) as [Channel, ChannelLimits][]).map(([channel, limits]) => ({
        channel,
        surface: limits.surface,
        label: limits.label,
        ...channelFitness(asset, channel),
        source: limits.source,
        sourceDate: limits.date,
        notes: [...(limits.notes ?? [])],
      })),
      crops: CropDto.ofSocial(asset),
    };
  }
}
