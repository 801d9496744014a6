import type { Finding } from '../../../common/diagnosis.dto.js';
import type { OutboundRequest } from '../../../outbound/outbound-client.js';
import type { OutboundResponse } from '../../../outbound/outbound-response.js';
import {
  maintenanceFinding,
  redirectFinding,
  sitePasswordFinding,
  unexpectedFinding,
} from '../../target-findings.js';
import { StepFailure } from '../../verification.js';
import { followedRedirect, linkInHeader, linkInPage, sameSite } from './wordpress-discovery.rules.js';
import { noRestApiFinding, otherHostFinding } from './wordpress-findings.js';
import { isBehindSitePassword } from '../../api-error.js';

const MAX_REDIRECTS = 4;
/** The link to the REST API is in the head of the page. */
const PAGE_BYTES = 300_000;

export interface Site {
  /** As entered, or with https if the site redirects there. */
  readonly baseUrl: string;
  /** For the home page, after redirects. */
  readonly pageUrl: string;
  readonly response: OutboundResponse;
}

export type Send = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Without credentials, because the page may still redirect. */
export async function findSite(send: Send, baseUrl: string): Promise<Site> {
  let pageUrl = `${baseUrl}/`;
  for (let redirects = 0; ; redirects++) {
    const response = await send({ url: pageUrl, method: 'HEAD', headers: { accept: 'text/html' } });
    if (response.status < 300 || response.status >= 400) {
      rejectOutage(response);
      return { baseUrl: withOriginOf(baseUrl, pageUrl), pageUrl, response };
    }
    const location = response.headers['location'] ?? '';
    const next = followedRedirect(pageUrl, location);
    if (next === null || redirects >= MAX_REDIRECTS) throw new StepFailure(redirectFinding(response));
    pageUrl = next;
  }
}

/** The address of the REST API to which the site links, or why there is none. Throws a `StepFailure` if the site cannot tell. */
export async function findRestRoot(
  send: Send,
  { pageUrl, response }: Site,
): Promise<{ root: string } | { missing: Finding }> {
  const link = linkInHeader(response.headers['link']) ?? (await findLinkInPage(send, pageUrl));
  if (link === null || !URL.canParse(link, pageUrl)) return { missing: noRestApiFinding() };
  const root = sameSite(new URL(link, pageUrl), new URL(pageUrl));
  return root === null ? { missing: otherHostFinding(link, response) } : { root };
}

export function rejectOutage(response: OutboundResponse): void {
  if (response.status === 503) throw new StepFailure(maintenanceFinding());
  if (isBehindSitePassword(response)) throw new StepFailure(sitePasswordFinding());
  // If HEAD fails, the page may still contain the address of the REST API.
  if (response.status >= 500 && response.status !== 501) throw new StepFailure(unexpectedFinding(response));
}

/** With credentials, no redirect is followed. */
export function rejectRedirect(response: OutboundResponse): void {
  if (response.status >= 300 && response.status < 400) throw new StepFailure(redirectFinding(response));
}

/** Some caches drop the header, and some servers reject HEAD. */
async function findLinkInPage(send: Send, pageUrl: string): Promise<string | null> {
  const page = await send({
    url: pageUrl,
    headers: { accept: 'text/html' },
    maxBodyBytes: PAGE_BYTES,
    cutBody: true,
  });
  rejectOutage(page);
  rejectRedirect(page);
  const link = linkInHeader(page.headers['link']) ?? linkInPage(page.body.toString());
  if (link === null && page.status >= 400 && page.status !== 404)
    throw new StepFailure(unexpectedFinding(page));
  return link;
}

/** The entered address, with the scheme and port to which the site redirects. */
function withOriginOf(baseUrl: string, pageUrl: string): string {
  return new URL(pageUrl).origin + new URL(baseUrl).pathname.replace(/\/+$/, '');
}
