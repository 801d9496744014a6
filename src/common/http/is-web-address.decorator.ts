import { applyDecorators } from '@nestjs/common';
import { IsString, MaxLength, registerDecorator } from 'class-validator';
import { MAX_ADDRESS_LENGTH, webAddress } from './web-address.js';

/** A complete public address, such as that of a post: http or https, without credentials. */
export const IsWebAddress = () =>
  applyDecorators(
    IsString(),
    MaxLength(MAX_ADDRESS_LENGTH),
    (target: object, propertyName: string | symbol) =>
      registerDecorator({
        name: 'isWebAddress',
        target: target.constructor,
        propertyName: propertyName as string,
        validator: {
          validate: isWebAddress,
          defaultMessage: () => '$property must be an http or https address without credentials',
        },
      }),
  );

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && webAddress(value) !== null;
}
