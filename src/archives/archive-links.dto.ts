import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, MaxLength } from 'class-validator';

const MAX_ASSETS = 1_000;

export class CreateArchiveDto {
  /**
   * Ids or assetRefs.
   * @example ["asset_01h455vb4pex5vsknk084sn02q"]
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ASSETS)
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  assetIds: string[];
}

export class ArchiveLinkDto {
  /**
   * The path of the archive on this server.
   * @example "/portal/assets/archive/0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10"
   */
  url: string;
  expiresAt: Date;
}
