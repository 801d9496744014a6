import { applyDecorators } from '@nestjs/common';
import { IsString, MaxLength, registerDecorator } from 'class-validator';

const MAX_URL_LENGTH = 2_048;

/** The public address of a post: http or https, without credentials. */
export const IsPostUrl = () =>
  applyDecorators(IsString(), MaxLength(MAX_URL_LENGTH), (target: object, propertyName: string | symbol) =>
    registerDecorator({
      name: 'isPostUrl',
      target: target.constructor,
      propertyName: propertyName as string,
      validator: {
        validate: isPostUrl,
        defaultMessage: () => '$property must be an http or https address without credentials',
      },
    }),
  );

function isPostUrl(value: unknown): boolean {
  // The parser would drop line breaks and turn spaces into %20.
  if (typeof value !== 'string' || /[\s\p{Cc}]/u.test(value)) return false;
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}
