import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { NoControlCharacters } from '../../../common/http/limit.decorators.js';
import { trimmed } from '../../../common/http/trimmed.js';
import { NewTargetDto } from '../../new-target.dto.js';
import { MAX_ADDRESS_INPUT } from '../../target-url.rules.js';

export class CreateWordPressTargetDto extends NewTargetDto {
  /** @example "wordpress" */
  @IsIn(['wordpress'])
  kind: 'wordpress';

  /**
   * The address of the home page.
   * @example "https://bakery.example"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ADDRESS_INPUT)
  baseUrl: string;

  /**
   * User name or email address of a user with the role Author or higher.
   * @example "asset-library"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  @Matches(/^[^:]*$/, { message: 'username must not contain a colon' })
  username: string;

  /**
   * An application password of that user, created in their WordPress profile. Never returned.
   * @example "abcd efgh ijkl mnop qrst uvwx"
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  @NoControlCharacters()
  applicationPassword: string;
}

export class UpdateWordPressTargetDto extends PartialType(
  PickType(CreateWordPressTargetDto, ['username', 'applicationPassword']),
  { skipNullProperties: false },
) {
  @ApiPropertyOptional({ description: 'WordPress only.' })
  override username?: string;

  @ApiPropertyOptional({ description: 'WordPress only.' })
  override applicationPassword?: string;
}

export class WordPressTargetViewDto {
  /**
   * WordPress only.
   * @example "https://bakery.example"
   */
  baseUrl?: string;
  /**
   * WordPress only.
   * @example "asset-library"
   */
  username?: string;
}
