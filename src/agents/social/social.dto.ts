import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsIn, IsOptional, MaxDate } from 'class-validator';
import { AgentAssetDto } from '../../assets/assets.dto.js';
import { IsWebAddress } from '../../common/http/is-web-address.decorator.js';
import { IsTime } from '../../common/http/is-time.decorator.js';
import { CountedFolderDto, FolderDto } from '../../folders/folders.dto.js';
import { UsageDto } from '../../usages/usages.dto.js';
import type { FiledPost } from './filed-post.js';

export const PLATFORMS = [
  'instagram',
  'facebook',
  'linkedin',
  'x',
  'tiktok',
  'pinterest',
  'youtube',
  'threads',
  'other',
] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Tolerance for clock differences. */
const TOLERANCE_MS = 5 * 60_000;

export class FilePostDto {
  @ApiProperty({ type: String, example: 'asset_01h455vb4pex5vsknk084sn02q' })
  @IsDefined()
  assetRef: string;

  /** @example "instagram" */
  @IsIn(PLATFORMS)
  platform: Platform;

  /** @example "https://www.instagram.com/p/DBq1x2yN0aB/" */
  @IsWebAddress()
  postUrl: string;

  /**
   * Defaults to now.
   * @example "2026-11-15T09:30:00Z"
   */
  @IsOptional()
  @IsTime()
  @MaxDate(() => new Date(Date.now() + TOLERANCE_MS), { message: 'postedAt must not be in the future' })
  postedAt?: Date;
}

export class FiledPostDto {
  usage: UsageDto;
  asset: AgentAssetDto;
  /** The folder that now contains the asset. */
  folder: FolderDto;

  static from({ usage, asset, folder }: FiledPost): FiledPostDto {
    return { usage: UsageDto.from(usage), asset: AgentAssetDto.from(asset), folder: FolderDto.from(folder) };
  }
}

export class SocialTreeDto {
  /** Social and everything below, parents before children. */
  folders: CountedFolderDto[];
}
