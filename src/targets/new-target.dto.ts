import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { NoControlCharacters } from '../common/http/limit.decorators.js';
import { trimmed } from '../common/http/trimmed.js';
import type { TargetKind } from '../database/entities/target.entity.js';

/** The fields of every kind. */
export abstract class NewTargetDto {
  abstract kind: TargetKind;

  /**
   * Unique among the targets of the client, ignoring case.
   * @example "bakery.example"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  name: string;
}
