import { type ComponentType, lazy } from 'react';
import { addTexts } from './messages';

let loading: Promise<void> | undefined;

function loadTexts(): Promise<void> {
  loading ??= import('./later-texts').then(({ laterTexts }) => addTexts(laterTexts));
  loading.catch(() => (loading = undefined));
  return loading;
}

/** Loads a module of the pages together with the texts that the first page does not need. */
export function withTexts<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => (await Promise.all([load(), loadTexts()]))[0];
}

/** React's `lazy` for everything outside `ui`. */
export function lazyWithTexts<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(withTexts(load));
}

/** For a module that needs no texts beyond those of the first page, or adds its own. */
export function lazyWithoutTexts<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(load);
}
