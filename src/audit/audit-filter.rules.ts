import { parseAssetId } from '../common/asset-ref.js';

/** `asset.update` itself, or `asset.` with everything that begins so. */
export function matchesAction(action: string, pattern: string): boolean {
  return pattern.endsWith('.') ? action.startsWith(pattern) : action === pattern;
}

/** The actions that match one of the patterns. Those that end with a dot are prefixes of the known actions. */
export function actionsOf(patterns: readonly string[], known: readonly string[]): string[] {
  const exact = patterns.filter((pattern) => !pattern.endsWith('.'));
  const begun = known.filter((action) => patterns.some((pattern) => matchesAction(action, pattern)));
  return [...new Set([...exact, ...begun])];
}

/** `asset`, or `asset/<id>`; an asset also by its ref. */
export function subjectOf(text: string): { kind: string; id: string | null } {
  const slash = text.indexOf('/');
  if (slash === -1) return { kind: text, id: null };
  const [kind, id] = [text.slice(0, slash), text.slice(slash + 1)];
  return { kind, id: (kind === 'asset' ? parseAssetId(id) : null) ?? id };
}
