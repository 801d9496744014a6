import type { Scope } from '../app/scope';

export function useClientEvents(_scope: Scope): void {}
