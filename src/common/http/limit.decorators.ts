import { registerDecorator } from 'class-validator';
import type { Limits } from '../../config/limits.js';

/** Decorators are evaluated before the configuration is read, so they look the limit up when they validate. */
let limits: Limits | null = null;

export function useLimits(configured: Limits): void {
  limits = configured;
}

/** Text of at most as many characters as the named limit says. */
export const MaxText = (limit: keyof Limits, options: { each?: boolean } = {}): PropertyDecorator =>
  constraint('maxText', options, {
    holds: (value) => typeof value === 'string' && [...value].length <= limits![limit],
    message: (property) => `${property} must be no longer than ${limits![limit]} characters`,
  });

/** A list of at most as many items as the named limit says. */
export const MaxItems = (limit: keyof Limits): PropertyDecorator =>
  constraint(
    'maxItems',
    {},
    {
      holds: (value) => Array.isArray(value) && value.length <= limits![limit],
      message: (property) => `${property} must have no more than ${limits![limit]} items`,
    },
  );

/** Display text on one line: no control characters. */
export const NoControlCharacters = (options: { each?: boolean } = {}): PropertyDecorator =>
  constraint('noControlCharacters', options, {
    holds: (value) => typeof value === 'string' && !/\p{Cc}/u.test(value),
    message: (property) => `${property} must not contain control characters`,
  });

function constraint(
  name: string,
  options: { each?: boolean },
  rule: { holds: (value: unknown) => boolean; message: (property: string) => string },
): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: propertyName as string,
      options,
      validator: {
        validate: (value) => rule.holds(value),
        defaultMessage: (args) => rule.message(args!.property),
      },
    });
  };
}
