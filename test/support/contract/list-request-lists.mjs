import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { elementTypeOf, listLimits } from '../../../dist/src/common/http/limit.decorators.js';
import { previewApp } from './preview-app.mjs';

/**
 * Every list in the request classes of all routes, with its maximum length. Runs outside of Jest, which cannot load the build: see
 * request-lists.ts.
 */
export default async function listRequestLists() {
  const app = await previewApp();
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const scanner = new MetadataScanner();
  const requests = new Set(
    discovery
      .getControllers()
      .flatMap(({ metatype }) =>
        scanner
          .getAllMethodNames(metatype.prototype)
          .flatMap((method) => Reflect.getMetadata('design:paramtypes', metatype.prototype, method) ?? []),
      )
      .filter((type) => rulesOf(type).length > 0),
  );
  const lists = [...requests].flatMap((type) => listsOf(type, false));
  return { requests: requests.size, lists };
}

function listsOf(type, nested) {
  const names = [...new Set(rulesOf(type).map(({ propertyName }) => propertyName))];
  return names.flatMap((property) => [
    ...(isList(type, property) ? [describe(type, property, nested)] : []),
    ...nestedTypes(type, property).flatMap((child) =>
      listsOf(child, nested || elementTypeOf(type, property) !== child),
    ),
  ]);
}

function describe(type, property, nested) {
  const limit = listLimits(type).find((list) => list.property === property)?.limit ?? null;
  return { list: `${type.name}.${property}`, limit, nested };
}

function isList(type, property) {
  if (Reflect.getMetadata('design:type', type.prototype, property) === Array) return true;
  return rulesOf(type).some(
    ({ propertyName, each, name }) => propertyName === property && (each || name === 'isArray'),
  );
}

function nestedTypes(type, property) {
  const typeFunction = defaultMetadataStorage.findTypeMetadata(type, property)?.typeFunction;
  return typeFunction ? [typeFunction()] : [];
}

function rulesOf(type) {
  return typeof type === 'function'
    ? getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)
    : [];
}
