import { IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { DiagnosisDto } from '../common/diagnosis.dto.js';
import { NoControlCharacters } from '../common/http/limit.decorators.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import { trimmed } from '../common/http/trimmed.js';
import type { Target, TargetKind, TargetState } from '../database/entities/target.entity.js';
import { TARGET_KINDS } from '../database/entities/target.entity.js';
import { KINDS } from './kinds/kinds.js';

/** Enough to read `kind`, on which everything else depends. */
export class TargetKindDto {
  /** @example "wordpress" */
  @IsIn(TARGET_KINDS)
  kind: TargetKind;
}

/** The address of a target cannot be changed: another address is another target. */
export class UpdateTargetDto extends IntersectionType(
  ...Object.values(KINDS).map(({ updateDto }) => updateDto),
) {
  /** @example "bakery.example" */
  @Omittable()
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  name?: string;
}

export class TargetDto extends IntersectionType(...Object.values(KINDS).map(({ viewDto }) => viewDto)) {
  targetId: string;
  /** @example "demo" */
  clientId: string;
  /** @example "wordpress" */
  kind: TargetKind;
  /** @example "bakery.example" */
  name: string;
  /** @example "connected" */
  state: TargetState;
  lastVerifiedAt: Date | null;
  /** What is wrong, in one sentence. */
  detail: string | null;
  createdAt: Date;
  updatedAt: Date;

  static from(target: Target): TargetDto {
    const { id, clientId, kind, name, state, lastVerifiedAt, detail, createdAt, updatedAt } = target;
    return {
      targetId: id,
      clientId,
      kind,
      name,
      ...KINDS[kind].view(target.settings, target.credentials !== null),
      state,
      lastVerifiedAt,
      detail,
      createdAt,
      updatedAt,
    };
  }
}

export class VerifiedTargetDto extends TargetDto {
  /** The result of the verification. Absent if the change did not require one. */
  verification?: DiagnosisDto;
}

export class TargetPageDto {
  targets: TargetDto[];
  nextCursor: string | null;
}
