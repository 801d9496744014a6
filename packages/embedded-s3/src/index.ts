export { startObjectStore } from './object-store.js';
export type { ObjectStoreOptions, RunningObjectStore } from './object-store.js';
export { startObjectStoreThread } from './object-store-thread.js';
