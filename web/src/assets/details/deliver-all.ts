import { adminApi, body, type Schemas } from '../../api/client';
import type { Asset } from '../../library/asset-types';
import type { Rendition } from './delivery-choice';

export type DeliveryResult = Schemas['DeliveryResultDto'];

/** The API's maximum per request. */
const AT_A_TIME = 100;

/** Delivers any number of assets. What one request has started is not started again if the user repeats it. */
export async function deliverAll(
  clientId: string,
  assets: readonly Asset[],
  request: Pick<Schemas['CreateDeliveriesDto'], 'targetId' | 'surface'>,
  renditionOf: (asset: Asset) => Rendition,
): Promise<DeliveryResult[]> {
  const results: DeliveryResult[] = [];
  for (const rendition of ['original', 'fit'] as const) {
    const refs = assets.filter((asset) => renditionOf(asset) === rendition).map(({ assetRef }) => assetRef);
    for (let start = 0; start < refs.length; start += AT_A_TIME) {
      const assetRefs = refs.slice(start, start + AT_A_TIME);
      const params = { path: { clientId } };
      const sent = adminApi.POST('/admin/clients/{clientId}/deliveries/batch', {
        params,
        body: { ...request, rendition, assetRefs },
      });
      results.push(...(await body(sent)).results);
    }
  }
  return results;
}
