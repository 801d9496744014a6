import { body, type SideApi } from '../../api/client';
import type { components } from '../../api/schema';

type BulkRequest = components['schemas']['BulkDto'];

/** The API's maximum per request. */
export const AT_A_TIME = 500;

/** Runs an action on any number of assets. Returns the batches of a `trash`, for undo. */
export async function runBulk(
  api: SideApi,
  assetIds: readonly string[],
  action: Omit<BulkRequest, 'assetIds'>,
): Promise<string[]> {
  const batchIds: string[] = [];
  for (let start = 0; start < assetIds.length; start += AT_A_TIME) {
    const some = assetIds.slice(start, start + AT_A_TIME);
    const response = await body(api.POST('/assets/bulk', { body: { ...action, assetIds: some } }));
    const { batchId } = response as { batchId?: string | null };
    if (batchId) batchIds.push(batchId);
  }
  return batchIds;
}
