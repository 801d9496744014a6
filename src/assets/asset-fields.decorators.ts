import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsArray, IsNotEmpty, IsString } from 'class-validator';
import { MaxItems, MaxText, NoControlCharacters } from '../common/http/limit.decorators.js';
import { trimmed } from '../common/http/trimmed.js';

/** The validation rules of an asset's fields, wherever they occur. */
export const IsTitle = () =>
  applyDecorators(
    Transform(trimmed),
    IsString(),
    IsNotEmpty(),
    MaxText('titleLength'),
    NoControlCharacters(),
  );

export const IsLongText = () => applyDecorators(IsString(), MaxText('textLength'));

export const IsTags = () =>
  applyDecorators(
    Transform(distinctTrimmed),
    IsArray(),
    MaxItems('tags'),
    IsString({ each: true }),
    IsNotEmpty({ each: true }),
    MaxText('tagLength', { each: true }),
    NoControlCharacters({ each: true }),
  );

/** Tags are compared as text, so each has one form: no surrounding spaces, one Unicode form, no duplicates. */
function distinctTrimmed({ value }: { value: unknown }): unknown {
  if (!Array.isArray(value)) return value;
  return [
    ...new Set(value.map((tag: unknown) => (typeof tag === 'string' ? tag.normalize('NFC').trim() : tag))),
  ];
}
