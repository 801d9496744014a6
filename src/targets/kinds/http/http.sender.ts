import { toAssetRef } from '../../../common/asset-ref.js';
import type { OutboundResponse } from '../../../outbound/outbound-response.js';
import { OutboundError } from '../../../outbound/outbound-error.js';
import type { KindServices } from '../kind-definition.js';
import { authorizationOf, type HttpConnection } from './http-connection.js';
import { readJson } from '../../../outbound/read-json.js';
import { headerText } from './header-text.rules.js';
import { errorOfResponse, errorOfFailure, textOf, remoteAddress } from '../../target-responses.rules.js';
import type { Delivery } from '../../../database/entities/delivery.entity.js';
import type { PreparedFile } from '../../prepared-file.js';
import type { Arrival, Attempt, Sender } from '../../sender.js';

const OVERHEAD_MS = 60_000;
const BYTES_PER_MS = 100;
/** For each text in a header: servers reject headers of more than about 8 KB in total. */
const MAX_HEADER_BYTES = 1_200;
const MAX_ID_LENGTH = 200;

/**
 * Sends the bytes to any endpoint. An endpoint cannot be queried, so every attempt sends the delivery id: an endpoint that honours
 * `Idempotency-Key` stores the file once.
 */
export class HttpSender implements Sender {
  constructor(
    private readonly endpoint: HttpConnection,
    private readonly services: KindServices,
  ) {}

  async send(attempt: Attempt): Promise<Arrival> {
    const { delivery, signal } = attempt;
    const file = await attempt.prepare();
    await attempt.announce(file.sizeBytes);
    const { url, method } = this.endpoint;
    const { outbound, config } = this.services;
    const responseTimeoutMs = config.deliveries.answerSeconds * 1000;
    let response: OutboundResponse;
    try {
      response = await outbound.request({
        url,
        method,
        headers: this.headers(delivery, file),
        body: { stream: await file.open(signal), bytes: file.sizeBytes },
        headersTimeoutMs: responseTimeoutMs,
        totalTimeoutMs: OVERHEAD_MS + responseTimeoutMs + Math.ceil(file.sizeBytes / BYTES_PER_MS),
        signal,
      });
    } catch (error) {
      // The status shows that the file was stored; the rest of the response is not needed.
      const head = error instanceof OutboundError ? error.response : null;
      if (head === null || head.status < 200 || head.status >= 300) throw errorOfFailure(error, 'upload');
      response = { ...head, body: Buffer.alloc(0) };
    }
    if (response.status < 200 || response.status >= 300)
      throw errorOfResponse(response, { step: 'upload', sizeBytes: file.sizeBytes });
    return arrivalOf(response, url);
  }

  settle(): Promise<null> {
    return Promise.resolve(null);
  }

  unmark(): Promise<void> {
    return Promise.resolve();
  }

  private headers(delivery: Delivery, { contentType, fileName, md5 }: PreparedFile): Record<string, string> {
    const texts = {
      'x-asset-title': delivery.title,
      'x-asset-alt-text': delivery.altText,
      'x-asset-caption': delivery.caption,
      'x-asset-description': delivery.description,
    };
    return {
      accept: 'application/json',
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      'idempotency-key': delivery.id,
      'x-asset-ref': toAssetRef(delivery.assetId),
      ...(md5 === null ? {} : { 'content-md5': Buffer.from(md5, 'hex').toString('base64') }),
      ...authorizationOf(this.endpoint),
      ...Object.fromEntries(
        Object.entries(texts)
          .filter(([, text]) => text !== '')
          .map(([name, text]) => [name, headerText(text, MAX_HEADER_BYTES)]),
      ),
    };
  }
}

function arrivalOf(response: OutboundResponse, url: string): Arrival {
  const json = readJson(response.body);
  const location =
    remoteAddress(response.headers['location'] ?? '', response, url) ??
    remoteAddress(textOf(json, 'url'), response, url);
  return { remoteId: idIn(json, response), remoteUrl: location, isDoubtful: false, isMarked: false };
}

function idIn(json: unknown, { conceal }: OutboundResponse): string | null {
  const id = typeof json === 'object' && json !== null ? (json as Record<string, unknown>)['id'] : null;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const text = String(id);
  const isPlain =
    text.trim() !== '' && text.length <= MAX_ID_LENGTH && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
  return isPlain && conceal(text) === text ? text : null;
}
