import { OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsNumber, IsOptional, IsUUID, Max, Min, ValidateNested } from 'class-validator';
import type { Principal } from '../access/principal.js';
import { ActorDto } from '../audit/audit.dto.js';
import { Flag } from '../common/http/flag.decorator.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import type { Asset, Surface } from '../database/entities/asset.entity.js';
import { AssetFitnessDto, ListedFitnessDto } from '../fitness/fitness.dto.js';
import { FolderDto } from '../folders/folders.dto.js';
import type { SupportedMime } from '../media/file-types.js';
import { IsLongText, IsTags, IsTitle } from './asset-fields.decorators.js';
import { IsSurfaces } from '../access/is-surfaces.decorator.js';
import { toAssetRef } from '../common/asset-ref.js';
import { creatorFor } from './creators.rules.js';
import type { LibraryPage } from './library.service.js';

/** The point of a picture that crops keep in view. */
export class FocalPointDto {
  /**
   * From the left edge, 0, to the right edge, 1.
   * @example 0.5
   */
  @IsNumber()
  @Min(0)
  @Max(1)
  x: number;

  /**
   * From the top edge, 0, to the bottom edge, 1.
   * @example 0.3
   */
  @IsNumber()
  @Min(0)
  @Max(1)
  y: number;
}

export class AssetDto {
  assetId: string;
  /**
   * The reference to the asset that agents use.
   * @example "asset_01h455vb4pex5vsknk084sn02q"
   */
  assetRef: string;
  /** @example "demo" */
  clientId: string;
  /** Null means the top level. */
  folderId: string | null;
  /** @example "Storefront at dawn" */
  title: string;
  description: string;
  altText: string;
  /** @example ["storefront", "autumn"] */
  tags: string[];
  /**
   * An empty list means every surface.
   * @example ["website", "gbp"]
   */
  allowedSurfaces: Surface[];
  /** @example "storefront at dawn.jpg" */
  originalFilename: string;
  /** @example "image/jpeg" */
  mimeType: SupportedMime;
  /** @example 204800 */
  sizeBytes: number;
  /** @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  sha256: string;
  /**
   * In the upright orientation.
   * @example 4032
   */
  width: number;
  /** @example 3024 */
  height: number;
  /** Videos only. */
  durationMs: number | null;
  takenAt: Date | null;
  /** A thumbhash in base64. For a video, it is added with its poster, shortly after the upload. */
  placeholder: string | null;
  /** An asset of the same client with identical bytes (a hint). */
  duplicateOf: string | null;
  /** Increases with every change; used for `If-Match`. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** In how many posts and deliveries the asset has been used; each counts once. `GET …/usages` lists them. */
  usages: number;
  /** The point that crops keep in view. Null means it is chosen automatically from the picture. */
  focalPoint: FocalPointDto | null;
  /** Who uploaded it. Null if this is unknown. To users of the portal, everyone else is the `agency`. */
  createdBy: ActorDto | null;
  fitness: AssetFitnessDto;

  static from(asset: Asset, viewer: Principal): AssetDto {
    const { fitness, ...record } = AgentAssetDto.from(asset);
    // The other copy may not be allowed on the surfaces of a picker.
    const duplicateOf = viewer.surfaces === null ? record.duplicateOf : null;
    return { ...record, duplicateOf, createdBy: creatorFor(viewer, asset), fitness };
  }
}

/** As agents see it: not who uploaded it. */
export class AgentAssetDto extends OmitType(AssetDto, ['createdBy']) {
  static from(asset: Asset): AgentAssetDto {
    return {
      assetId: asset.id,
      assetRef: toAssetRef(asset.id),
      clientId: asset.clientId,
      folderId: asset.folderId,
      title: asset.title,
      description: asset.description,
      altText: asset.altText,
      tags: asset.tags,
      allowedSurfaces: asset.allowedSurfaces,
      originalFilename: asset.originalFilename,
      mimeType: asset.mimeType,
      sizeBytes: asset.sizeBytes,
      sha256: asset.sha256,
      width: asset.width,
      height: asset.height,
      durationMs: asset.durationMs,
      takenAt: asset.takenAt,
      placeholder: asset.placeholder,
      duplicateOf: asset.duplicateOf,
      version: asset.version,
      createdAt: asset.createdAt,
      updatedAt: asset.updatedAt,
      usages: asset.usages,
      focalPoint: asset.focalPoint,
      // Complete: a test compares it with the limits.
      fitness: asset.fitness as object as AssetFitnessDto,
    };
  }
}

/** An asset in a list: reasons are only in the record of a single asset. */
export class ListedAssetDto extends OmitType(AssetDto, ['fitness']) {
  fitness: ListedFitnessDto;

  static from(asset: Asset, viewer: Principal): ListedAssetDto {
    return { ...AssetDto.from(asset, viewer), fitness: ListedFitnessDto.from(asset.fitness) };
  }
}

export class UpdateAssetDto {
  /** @example "Storefront at dawn" */
  @Omittable()
  @IsTitle()
  title?: string;

  @Omittable()
  @IsLongText()
  description?: string;

  /** @example "A lit bakery window at dawn" */
  @Omittable()
  @IsLongText()
  altText?: string;

  /** @example ["storefront", "autumn"] */
  @Omittable()
  @IsTags()
  tags?: string[];

  /**
   * An empty list means every surface.
   * @example ["website", "gbp"]
   */
  @Omittable()
  @IsSurfaces()
  allowedSurfaces?: Surface[];

  /** Moves the asset. Null means the top level. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  folderId?: string | null;

  /** The point that crops keep in view. Null means it is chosen automatically from the picture. */
  @IsOptional()
  @ValidateNested()
  @Type(() => FocalPointDto)
  focalPoint?: FocalPointDto | null;
}

export class LibraryPageDto {
  /** The listed folder. Null means the top level. */
  folder: FolderDto | null;
  /** From the top level down to the folder itself. */
  breadcrumbs: FolderDto[];
  /** The folders directly in the listed folder. Only on the first page. */
  folders: FolderDto[];
  assets: ListedAssetDto[];
  nextCursor: string | null;
  /** The number of matching assets on all pages. Counted up to 10,000 if counting is expensive; see `totalIsExact`. */
  total: number;
  /** False means that there are more assets than `total`. */
  totalIsExact: boolean;

  static from(page: LibraryPage, viewer: Principal): LibraryPageDto {
    return {
      ...page,
      folder: page.folder && FolderDto.from(page.folder),
      breadcrumbs: page.breadcrumbs.map((folder) => FolderDto.from(folder)),
      folders: page.folders.map((folder) => FolderDto.from(folder)),
      assets: page.assets.map((asset) => ListedAssetDto.from(asset, viewer)),
    };
  }
}

export class CreatorsDto {
  /** Ordered by name; at most 500. */
  creators: ActorDto[];
}

export class TagDto {
  /** @example "autumn" */
  tag: string;
  assets: number;
}

export class TagsDto {
  /** Most used first. */
  tags: TagDto[];
}

export class ForceQuery {
  /**
   * Trashes the asset even if references use it.
   * @example false
   */
  @Flag()
  force?: boolean;
}

export class TrashedAssetDto {
  assetId: string;
  batchId: string;
  restorableUntil: Date;
}
