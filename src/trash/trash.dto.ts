import { IsUUID } from 'class-validator';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';

export class RestoreDto {
  @LowerCase()
  @IsUUID()
  batchId: string;
}

export class PurgeDto {
  /** Can be in the body or in the query. If omitted, everything in the trash. */
  @Omittable()
  @LowerCase()
  @IsUUID()
  batchId?: string;
}

export class TrashItemDto {
  batchId: string;
  /** Present if a folder was trashed. */
  folderId?: string;
  /** Present if a single asset was trashed. */
  assetId?: string;
  /** @example "Autumn campaign" */
  name: string;
  assets: number;
  folders: number;
  trashedAt: Date;
  /** @example "operator@example.com" */
  trashedBy: string;
  restorableUntil: Date;
  /** Up to four assets in it that have a thumbnail; see `GET …/trash/{assetId}/preview`. */
  previewAssetIds: string[];

  static from(batch: TrashBatch, restorableUntil: Date, previewAssetIds: readonly string[]): TrashItemDto {
    return {
      batchId: batch.id,
      ...(batch.folderId ? { folderId: batch.folderId } : {}),
      ...(batch.assetId ? { assetId: batch.assetId } : {}),
      name: batch.name,
      assets: batch.assets,
      folders: batch.folders,
      trashedAt: batch.trashedAt,
      trashedBy: batch.trashedBy,
      restorableUntil,
      previewAssetIds: [...previewAssetIds],
    };
  }
}

export class TrashPageDto {
  items: TrashItemDto[];
  nextCursor: string | null;
}

export class RestoredDto {
  batchId: string;
  folders: number;
  assets: number;
}

export class PurgedDto {
  /** The number of batches that are being deleted permanently. */
  batches: number;
}
