/** Simulates a production install: the embedded packages cannot be found. */
import { register } from 'node:module';

const hooks = `
  export function resolve(specifier, context, next) {
    if (!specifier.startsWith('@asset-library/')) return next(specifier, context);
    throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
