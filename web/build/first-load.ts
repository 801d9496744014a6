import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../src/main.tsx', import.meta.url));

/** Re-exports all components, of which only the router's provider is taken from here. */
const INDEX = /\/react-aria-components\/dist\/exports\/index\.mjs$/;

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Every page loads what the entry imports, directly or not: one file. Split into the parts that other chunks share,
 * it would compress a sixth worse.
 */
export function firstLoad() {
  let loaded: Set<string> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    loaded ??= importedBy(graph);
    return loaded.has(id) ? 'main' : null;
  };
}

function importedBy(graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const queue = [ENTRY];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || INDEX.test(id)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
