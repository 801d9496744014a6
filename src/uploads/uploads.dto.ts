import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { toAssetRef } from '../common/asset-ref.js';
import { IsLongText, IsTags, IsTitle } from '../assets/asset-fields.decorators.js';
import { IsSurfaces } from '../access/is-surfaces.decorator.js';
import type { Surface } from '../database/entities/asset.entity.js';
import { MaxText, NoControlCharacters } from '../common/http/limit.decorators.js';
import type { UploadSession, UploadStatus } from '../database/entities/upload-session.entity.js';
import { isSupported } from '../media/file-types.js';
import type { OpenedUpload } from './opened-upload.js';

export class CreateUploadSessionDto {
  /** @example "storefront at dawn.jpg" */
  @IsString()
  @IsNotEmpty()
  @MaxText('filenameLength')
  @NoControlCharacters()
  originalFilename: string;

  /** @example "image/jpeg" */
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  )
  @IsString()
  @MaxLength(127)
  @Matches(/^[\w.+-]+\/[\w.+-]+$/, { message: 'mimeType must be a MIME type such as image/jpeg' })
  mimeType: string;

  /** @example 204800 */
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  expectedSizeBytes: number;

  /** The folder of the asset. Omitted or null means the top level. */
  @IsOptional()
  @IsUUID()
  folderId?: string | null;

  /**
   * The checksum of the file in hex. Verified when the upload is finalized.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  @IsOptional()
  @Matches(/^[0-9a-fA-F]{64}$/, { message: 'sha256 must be 64 hex digits' })
  sha256?: string;

  /** Upload in parts, for large files. */
  @IsOptional()
  @IsBoolean()
  multipart?: boolean;
}

export class UploadedPartDto {
  /** @example 1 */
  @IsInt()
  @Min(1)
  @Max(10_000)
  partNumber: number;

  /** @example "9b2cf535f27731c974343645a3985328" */
  @IsString()
  @Matches(/^"?[\w.+/=-]{1,200}"?$/, {
    message: 'etag must be the ETag that the store returned for the part',
  })
  etag: string;
}

export class FinalizeUploadDto {
  /** @example "pX4yq0Yp3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uE" */
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  uploadToken: string;

  /**
   * Defaults to the file name without its extension.
   * @example "Storefront at dawn"
   */
  @IsOptional()
  @IsTitle()
  title?: string;

  /** @example "The front window of the bakery, lit, before opening." */
  @IsOptional()
  @IsLongText()
  description?: string;

  /** @example "A lit bakery window at dawn" */
  @IsOptional()
  @IsLongText()
  altText?: string;

  /** @example ["storefront", "autumn"] */
  @IsOptional()
  @IsTags()
  tags?: string[];

  /**
   * An empty list means every surface.
   * @example ["website", "gbp"]
   */
  @IsOptional()
  @IsSurfaces()
  allowedSurfaces?: Surface[];

  /** Defaults to the folder of the session. Null means the top level. */
  @IsOptional()
  @IsUUID()
  folderId?: string | null;

  /** For a multipart upload. Defaults to the parts that the store lists. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10_000)
  @ValidateNested({ each: true })
  @Type(() => UploadedPartDto)
  parts?: UploadedPartDto[];
}

export class PartUrlDto {
  /** @example 1 */
  partNumber: number;
  uploadUrl: string;
}

export class MultipartDto {
  /** @example 8388608 */
  partSizeBytes: number;
  parts: PartUrlDto[];
}

export class OpenedUploadDto {
  sessionId: string;
  /** @example "pending" */
  status: UploadStatus;
  /** Only authorizes a PUT of exactly the declared number of bytes. */
  uploadUrl: string;
  method: 'PUT';
  /**
   * Headers that the browser should send. Optional.
   * @example { "Content-Type": "image/jpeg" }
   */
  headers: Record<string, string>;
  /** When the URL expires. It can be renewed. */
  expiresAt: Date;
  multipart?: MultipartDto;
  /** @example ["unsupported_type"] */
  warnings?: 'unsupported_type'[];

  static from({ session, uploadUrl, partUrls }: OpenedUpload): OpenedUploadDto {
    return {
      sessionId: session.id,
      status: session.status,
      uploadUrl,
      method: 'PUT',
      headers: { 'Content-Type': session.mimeType },
      expiresAt: session.urlExpiresAt,
      ...(partUrls ? { multipart: { partSizeBytes: session.partSizeBytes!, parts: partUrls } } : {}),
      ...(isSupported(session.mimeType) ? {} : { warnings: ['unsupported_type'] }),
    };
  }
}

export class CreatedUploadDto extends OpenedUploadDto {
  /** Identifies the session when it is finalized. Only shown once. */
  uploadToken: string;
}

export class RejectionDto {
  /** @example "content_mismatch" */
  code: string;
  detail: string;
}

export class UploadSessionDto {
  sessionId: string;
  /** @example "pending" */
  status: UploadStatus;
  /** Whether the file has been uploaded. */
  uploaded: boolean;
  originalFilename: string;
  mimeType: string;
  expectedSizeBytes: number;
  folderId: string | null;
  /** When the upload URL expires. */
  expiresAt: Date;
  /** When the session itself expires. */
  sessionExpiresAt: Date;
  createdAt: Date;
  /** Present if the session is finalized. */
  assetId: string | null;
  assetRef: string | null;
  /** Why the session was rejected. */
  rejection: RejectionDto | null;

  static from(session: UploadSession, uploaded: boolean): UploadSessionDto {
    const assetId = session.status === 'finalized' ? session.assetId : null;
    return {
      sessionId: session.id,
      status: session.status,
      uploaded,
      originalFilename: session.originalFilename,
      mimeType: session.mimeType,
      expectedSizeBytes: session.expectedSizeBytes,
      folderId: session.folderId,
      expiresAt: session.urlExpiresAt,
      sessionExpiresAt: session.expiresAt,
      createdAt: session.createdAt,
      assetId,
      assetRef: assetId && toAssetRef(assetId),
      rejection: session.rejectedCode
        ? { code: session.rejectedCode, detail: session.rejectedDetail ?? '' }
        : null,
    };
  }
}
