import { IsOptional, IsString, MaxLength, IsUUID } from 'class-validator';
import { Flag } from '../common/http/flag.decorator.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { MAX_DEPTH, MAX_NAME_LENGTH } from './folder-name.rules.js';
import type { CountedFolder, PlacedFolder } from './folders.service.js';

/** The longest names at every level, with characters of two units each, separated by slashes. */
const MAX_PATH_LENGTH = MAX_DEPTH * (2 * MAX_NAME_LENGTH + 1);

export class NewFolderDto {
  /** @example "Autumn campaign" */
  @IsString()
  @MaxLength(1000)
  name: string;

  /** Omitted or null means the top level. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  parentId?: string | null;
}

export class CreateFolderDto {
  /**
   * Creates one folder. Either `name` or `path` is required.
   * @example "Autumn campaign"
   */
  @Omittable()
  @IsString()
  @MaxLength(1000)
  name?: string;

  /**
   * Creates a folder and its missing parents.
   * @example "2026/Autumn campaign"
   */
  @Omittable()
  @IsString()
  @MaxLength(MAX_PATH_LENGTH)
  path?: string;

  /** Omitted or null means the top level. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  parentId?: string | null;
}

export class UpdateFolderDto {
  @LowerCase()
  @IsUUID()
  folderId: string;

  /**
   * Renames the folder.
   * @example "Autumn 2026"
   */
  @Omittable()
  @IsString()
  @MaxLength(1000)
  name?: string;

  /** Moves the folder. Null means the top level. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  parentId?: string | null;
}

export class FolderDto {
  folderId: string;
  /** @example "demo" */
  clientId: string;
  /** Null means the top level. */
  parentId: string | null;
  /** @example "Posted" */
  name: string;
  /** Managed by the Social agent; cannot be renamed, moved or deleted. */
  protected: boolean;
  /** @example "Social/Posted" */
  path: string;
  createdAt: Date;
  updatedAt: Date;

  static from({ folder, path }: PlacedFolder): FolderDto {
    return {
      folderId: folder.id,
      clientId: folder.clientId,
      parentId: folder.parentId,
      name: folder.name,
      protected: folder.systemKey !== null,
      path,
      createdAt: folder.createdAt,
      updatedAt: folder.updatedAt,
    };
  }
}

export class CountedFolderDto extends FolderDto {
  /** The number of assets directly in the folder. */
  assets: number;
  /** The number of folders directly in the folder. */
  folders: number;
  /** The number of assets in the folder and everywhere below. */
  totalAssets: number;

  static override from(counted: CountedFolder): CountedFolderDto {
    const { assets, folders, totalAssets } = counted;
    return { ...FolderDto.from(counted), assets, folders, totalAssets };
  }
}

export class FolderTreeDto {
  /** Every folder, parents before children. */
  folders: CountedFolderDto[];
  /** The number of assets at the top level. */
  assetsAtTop: number;
}

export class FolderIdDto {
  /** Can be in the body or in the query. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  folderId?: string;
}

export class TrashFolderDto extends FolderIdDto {
  /**
   * Also trashes assets that are used by references. Can be in the body or in the query.
   * @example false
   */
  @Flag()
  force?: boolean;
}

export class TrashedFolderDto {
  folderId: string;
  /** Including the folder itself. */
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
