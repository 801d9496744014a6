import { PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
} from 'class-validator';
import { IsLongText, IsTitle } from '../assets/asset-fields.decorators.js';
import { toAssetRef } from '../common/asset-ref.js';
import { type Surface, SURFACES } from '../database/entities/asset.entity.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { PageQuery } from '../common/paging/page.js';
import {
  DELIVERED_RENDITIONS,
  type DeliveredRendition,
  type Delivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type DeliveryStep,
} from '../database/entities/delivery.entity.js';

import type { DeliveryResult } from './delivery.rules.js';
import { explanationOf } from '../targets/delivery-error.js';

const MAX_REF_LENGTH = 100;
const MAX_ASSETS = 100;

export class CreateDeliveryDto {
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  @IsString()
  @MaxLength(MAX_REF_LENGTH)
  assetRef: string;

  /** @example "0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10" */
  @LowerCase()
  @IsUUID()
  targetId: string;

  /**
   * The surface on which the target will use the asset. Both the asset and the API key must be allowed on it.
   * @example "website"
   */
  @IsIn(SURFACES)
  surface: Surface;

  /**
   * Defaults to `original`. WordPress receives pictures upright, without metadata and at most 2560 pixels wide or high; HEIC is converted to JPEG. `fit` is a JPEG within the published limits of the surface.
   * @example "original"
   */
  @IsOptional()
  @IsIn(DELIVERED_RENDITIONS)
  rendition?: DeliveredRendition;

  /**
   * Defaults to that of the asset.
   * @example "Storefront in autumn"
   */
  @IsOptional()
  @IsTitle()
  title?: string;

  /**
   * Defaults to that of the asset.
   * @example "A bakery with pumpkins at its door"
   */
  @IsOptional()
  @IsLongText()
  altText?: string;

  /** @example "Our shop in Main Street" */
  @IsOptional()
  @IsLongText()
  caption?: string;

  /** Defaults to that of the asset. */
  @IsOptional()
  @IsLongText()
  description?: string;

  /**
   * Delivers the asset again, as a second copy.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  force?: boolean;
}

export class CreateDeliveriesDto extends PickType(CreateDeliveryDto, [
  'targetId',
  'surface',
  'rendition',
  'force',
]) {
  /**
   * Each is delivered once, even if it is repeated.
   * @example ["asset_01h455vb4pex5vsknk084sn02q"]
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ASSETS)
  @IsString({ each: true })
  @MaxLength(MAX_REF_LENGTH, { each: true })
  assetRefs: string[];
}

export class DeliveriesQuery extends PageQuery {
  /** @example "failed" */
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @IsOptional()
  @LowerCase()
  @IsUUID()
  targetId?: string;

  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_REF_LENGTH)
  assetRef?: string;
}

export class DeliveryErrorDto {
  /**
   * A stable code for programs.
   * @example "target_unreachable"
   */
  code: string;
  /**
   * What happened, what to do about it, and what happens next.
   * @example "The destination cannot be reached. It will be retried automatically."
   */
  detail: string;
  /**
   * What the worker was doing: `check`, `prepare`, `look_up` or `upload`.
   * @example "upload"
   */
  step: DeliveryStep;
}

export class DeliveryDto {
  /** @example "0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10" */
  deliveryId: string;
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef: string;
  /** @example "0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10" */
  targetId: string;
  /** @example "website" */
  surface: Surface;
  /** @example "original" */
  rendition: DeliveredRendition;
  /**
   * Also `queued` between two attempts.
   * @example "delivered"
   */
  status: DeliveryStatus;
  /**
   * The number of attempts that were started.
   * @example 1
   */
  attempts: number;
  /** When the next attempt is due. Null if there is none. */
  nextAttemptAt: Date | null;
  /** Why the last attempt failed. Null after a success. */
  lastError: DeliveryErrorDto | null;
  /**
   * The id of the file on the target.
   * @example "4711"
   */
  remoteId: string | null;
  /** @example "https://bakery.example/wp-content/uploads/2026/11/storefront-in-autumn.jpg" */
  remoteUrl: string | null;
  createdAt: Date;
  updatedAt: Date;

  static from(delivery: Delivery): DeliveryDto {
    const { errorCode, errorStep, status } = delivery;
    const detail = explanationOf(delivery);
    return {
      deliveryId: delivery.id,
      assetRef: toAssetRef(delivery.assetId),
      targetId: delivery.targetId,
      surface: delivery.surface,
      rendition: delivery.rendition,
      status,
      attempts: delivery.attempts,
      nextAttemptAt: status === 'queued' ? delivery.nextAttemptAt : null,
      lastError: detail === null ? null : { code: errorCode!, detail, step: errorStep! },
      remoteId: delivery.remoteId,
      remoteUrl: delivery.remoteUrl,
      createdAt: delivery.createdAt,
      updatedAt: delivery.updatedAt,
    };
  }
}

export class DeliveryResultDto {
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef: string;
  /** Whether there is a delivery. */
  ok: boolean;
  /** If `ok` is true. */
  delivery?: DeliveryDto;
  /** If `ok` is true: false if the same asset, rendition and target was already in progress or delivered. */
  isNew?: boolean;
  /** If `ok` is false: why the asset cannot be delivered. */
  code?: ProblemCode;
  /** @example "The asset is not allowed on website, only on social." */
  detail?: string;

  static from(result: DeliveryResult): DeliveryResultDto {
    if (!result.ok) return result;
    return { ...result, delivery: DeliveryDto.from(result.delivery) };
  }
}

export class DeliveryResultsDto {
  results: DeliveryResultDto[];
}

export class DeliveryPageDto {
  /** Newest first. */
  deliveries: DeliveryDto[];
  nextCursor: string | null;
}
