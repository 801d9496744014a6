import { body, type Schemas, type SideApi } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { AT_A_TIME } from '../actions/bulk';
import type { Edit } from './edit-draft';

export type EditResult = Schemas['BulkResultDto'];

/** The API accepts 1 MB. The longest character of JSON takes six bytes. */
const MAX_CHARACTERS = 150_000;

interface Slice {
  readonly assetIds: string[];
  readonly edit: Edit & { readonly dryRun?: boolean };
}

/** Edits any number of assets. Numbers in titles continue from one request to the next. */
export async function editMany(
  api: SideApi,
  assetIds: readonly string[],
  edit: Edit,
  onProgress: (done: number) => void,
): Promise<EditResult[]> {
  const slices = slicesOf(assetIds, edit);
  // Each request is all or nothing. Trying all of them first makes that true for the whole edit.
  if (slices.length > 1) await requireAll(api, slices);
  const results: EditResult[] = [];
  for (const slice of slices) {
    try {
      results.push(...(await send(api, slice)));
    } catch (error) {
      throw new PartlyEdited(results, error);
    }
    onProgress(results.length);
  }
  return results;
}

/** A later request failed. The results are those of the earlier ones. */
export class PartlyEdited extends Error {
  constructor(
    readonly results: readonly EditResult[],
    override readonly cause: unknown,
  ) {
    super('The edit failed');
  }
}

/** Whether the request may have been carried out although it failed: its response was lost, or reports no refusal. */
export function isUncertain(error: unknown): boolean {
  return !(error instanceof ApiProblem && error.status >= 400 && error.status < 500);
}

/** What the edit would do to one slice. Nothing is changed. */
export async function tryEdit(api: SideApi, { assetIds, edit }: Slice, signal?: AbortSignal) {
  return send(api, { assetIds, edit: { ...edit, dryRun: true } }, signal);
}

/** Gives the assets their earlier values, except those that have been changed since. Returns how many these are. */
export async function revertEdits(api: SideApi, results: readonly EditResult[]): Promise<number> {
  let kept = 0;
  for (const assets of revertSlices(results)) {
    const refused = await update(api, assets);
    const others = assets.filter(({ assetId }) => !refused.has(assetId));
    kept += refused.size;
    if (refused.size > 0 && others.length > 0) kept += (await update(api, others)).size;
  }
  return kept;
}

export function isChanged({ before }: EditResult): boolean {
  return before !== undefined && Object.keys(before).length > 0;
}

/** The assets to which the edit cannot be applied; none if the error is another. */
export function failuresOf(error: unknown): EditResult[] {
  if (!(error instanceof ApiProblem)) return [];
  const { results = [] } = error.document as { results?: EditResult[] };
  return results.filter(({ ok }) => !ok);
}

function slicesOf(assetIds: readonly string[], edit: Edit): Slice[] {
  const slices: Slice[] = [];
  for (let start = 0; start < assetIds.length; start += AT_A_TIME) {
    const startAt = edit.startAt === undefined ? {} : { startAt: edit.startAt + start };
    slices.push({ assetIds: assetIds.slice(start, start + AT_A_TIME), edit: { ...edit, ...startAt } });
  }
  return slices;
}

async function send(api: SideApi, { assetIds, edit }: Slice, signal?: AbortSignal): Promise<EditResult[]> {
  const request = { ...edit, assetIds, action: 'edit' as const };
  return (await body(api.POST('/assets/bulk', { body: request, signal }))).results;
}

async function requireAll(api: SideApi, slices: readonly Slice[]): Promise<void> {
  const results: EditResult[] = [];
  for (const slice of slices) results.push(...(await tryEdit(api, slice)));
  if (results.some(({ ok }) => !ok)) throw new ApiProblem({ status: 409, code: 'bulk_failed', results });
}

function revertSlices(results: readonly EditResult[]): Schemas['AssetUpdateDto'][][] {
  const slices: Schemas['AssetUpdateDto'][][] = [];
  let characters = Infinity;
  for (const result of results.filter(isChanged)) {
    const asset = { ...result.before, assetId: result.assetId, version: result.version };
    const length = JSON.stringify(asset).length;
    if (characters + length > MAX_CHARACTERS || slices.at(-1)!.length === AT_A_TIME) {
      slices.push([]);
      characters = 0;
    }
    slices.at(-1)!.push(asset);
    characters += length;
  }
  return slices;
}

/** Returns the assets that were refused, in which case none was changed. */
async function update(api: SideApi, assets: Schemas['AssetUpdateDto'][]): Promise<ReadonlySet<string>> {
  try {
    await body(api.PATCH('/assets', { body: { assets } }));
    return new Set();
  } catch (error) {
    const failures = failuresOf(error);
    if (failures.length === 0) throw error;
    return new Set(failures.map(({ assetId }) => assetId));
  }
}
