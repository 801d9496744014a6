import { applyDecorators, type Type, type ValidationError } from '@nestjs/common';
import { Type as TransformTo } from 'class-transformer';
import {
  ArrayMaxSize,
  getMetadataStorage,
  IsArray,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import type { Limits } from '../../config/limits.js';

/** Decorators are evaluated before the configuration is read, so they look up the limit during validation. */
let limits: Limits | null = null;

export function useLimits(configured: Limits): void {
  limits = configured;
}

/** Text with at most the number of characters of the named limit. */
export const MaxText = (limit: keyof Limits, options: { each?: boolean } = {}): PropertyDecorator =>
  constraint('maxText', options, {
    holds: (value) => typeof value === 'string' && [...value].length <= limits![limit],
    message: (property) => `${property} must be no longer than ${limits![limit]} characters`,
  });

/** A list with at most the number of elements of the named limit. For a fixed number, use `@ArrayMaxSize`. */
export const MaxItems = (limit: keyof Limits): PropertyDecorator =>
  constraint(
    'maxItems',
    {},
    {
      holds: (value) => Array.isArray(value) && value.length <= limits![limit],
      message: (property) => tooManyElements(property, limits![limit]),
      limit,
    },
  );

/** The class of the elements of each list that is declared with `@ListOf`. */
const elementTypes = new WeakMap<object, Map<string, Type>>();

/** A list of objects. The lengths of the lists in these are checked too, before any of their elements. */
export const ListOf = (type: Type, max: number): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(max),
    ValidateNested({ each: true }),
    TransformTo(() => type),
    (target: object, property: string | symbol) => {
      const known = elementTypes.get(target.constructor) ?? new Map<string, Type>();
      elementTypes.set(target.constructor, known.set(property as string, type));
    },
  );

export function elementTypeOf(type: Type, property: string): Type | undefined {
  return elementTypes.get(type)?.get(property);
}

/** The lists in `value` that are longer than the class allows. Their elements are not checked. */
export function tooLongLists(value: unknown, type: Type): ValidationError[] {
  if (typeof value !== 'object' || value === null) return [];
  return listLimits(type).flatMap(({ property, limit }): ValidationError[] => {
    const list: unknown = (value as Record<string, unknown>)[property];
    const max = typeof limit === 'number' ? limit : limits![limit];
    if (!Array.isArray(list)) return [];
    if (list.length > max)
      return [{ property, constraints: { maxItems: tooManyElements(property, max) }, children: [] }];
    const elementType = elementTypeOf(type, property);
    if (elementType === undefined) return [];
    const children = list.flatMap((element, index): ValidationError[] => {
      const errors = tooLongLists(element, elementType);
      return errors.length > 0 ? [{ property: String(index), children: errors }] : [];
    });
    return children.length > 0 ? [{ property, children }] : [];
  });
}

interface ListLimit {
  readonly property: string;
  readonly limit: number | keyof Limits;
}

const limitsByType = new WeakMap<Type, ListLimit[]>();

/** The lists of a class with their maximum lengths. */
export function listLimits(type: Type): ListLimit[] {
  let known = limitsByType.get(type);
  if (known === undefined) limitsByType.set(type, (known = readListLimits(type)));
  return known;
}

function readListLimits(type: Type): ListLimit[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .filter(({ name }) => name === 'arrayMaxSize' || name === 'maxItems')
    .map(({ propertyName, constraints }) => ({
      property: propertyName,
      limit: constraints[0] as number | keyof Limits,
    }));
}

function tooManyElements(property: string, max: number): string {
  return `${property} must contain no more than ${max} elements`;
}

/** Display text on one line: no control characters. */
export const NoControlCharacters = (options: { each?: boolean } = {}): PropertyDecorator =>
  constraint('noControlCharacters', options, {
    holds: (value) => typeof value === 'string' && !/\p{Cc}/u.test(value),
    message: (property) => `${property} must not contain control characters`,
  });

function constraint(
  name: string,
  options: { each?: boolean },
  rule: {
    holds: (value: unknown) => boolean;
    message: (property: string) => string;
    limit?: keyof Limits;
  },
): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: propertyName as string,
      options,
      constraints: rule.limit === undefined ? [] : [rule.limit],
      validator: {
        validate: (value) => rule.holds(value),
        defaultMessage: (args) => rule.message(args!.property),
      },
    });
  };
}
