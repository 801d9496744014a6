import { IsOptional, IsUUID, ValidateIf } from 'class-validator';
import { Flag } from '../common/http/flag.decorator.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';

export class FolderIdDto {
  /** Here or in the query. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  folderId?: string;
}

export class TrashFolderDto extends FolderIdDto {
  /**
   * Also trashes assets that references use. Here or in the query.
   * @example false
   */
  @Flag()
  force?: boolean;
}

export class ForceQuery {
  /**
   * Trashes the asset even if references use it.
   * @example false
   */
  @Flag()
  force?: boolean;
}

export class RestoreDto {
  @LowerCase()
  @IsUUID()
  batchId: string;
}

export class PurgeDto {
  /** Here or in the query. Absent: everything in the trash. */
  @ValidateIf((_object, value) => value !== undefined)
  @LowerCase()
  @IsUUID()
  batchId?: string;
}

export class TrashedFolderDto {
  folderId: string;
  /** The folder itself included. */
  trashedFolders: number;
  trashedAssets: number;
  batchId: string;
  restorableUntil: Date;

  static from(folderId: string, batch: TrashBatch, restorableUntil: Date): TrashedFolderDto {
    return {
      folderId,
      trashedFolders: batch.folders,
      trashedAssets: batch.assets,
      batchId: batch.id,
      restorableUntil,
    };
  }
}

export class TrashedAssetDto {
  assetId: string;
  batchId: string;
  restorableUntil: Date;
}

export class TrashItemDto {
  batchId: string;
  /** When a folder was trashed. */
  folderId?: string;
  /** When a single asset was trashed. */
  assetId?: string;
  /** @example "Autumn campaign" */
  name: string;
  assets: number;
  folders: number;
  trashedAt: Date;
  /** @example "operator@example.com" */
  trashedBy: string;
  restorableUntil: Date;

  static from(batch: TrashBatch, restorableUntil: Date): TrashItemDto {
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
  /** How many batches are being deleted for good. */
  batches: number;
}
