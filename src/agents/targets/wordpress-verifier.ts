import { Injectable } from '@nestjs/common';
import {
  type OutboundResponse,
  OutboundClient,
  type OutboundRequest,
} from '../../outbound/outbound-client.js';
import { authorizationOf, type WordPressConnection } from './target-connection.js';
import {
  maintenanceFinding,
  redirectFinding,
  sitePasswordFinding,
  unexpectedFinding,
} from './target-findings.js';
import { StepFailure, type Verification, VerificationSteps } from './verification.js';
import {
  applicationPasswordsFinding,
  credentialsFinding,
  noRestApiFinding,
  notWordPressFinding,
  otherHostFinding,
  uploadFinding,
} from './wordpress-findings.js';
import { isBehindSitePassword, isRecord, readJson, readWordPressError, restUrl } from './wordpress-rest.js';
import { followedRedirect, linkInHeader, linkInPage, sameSite } from './wordpress-discovery.rules.js';

const MAX_REDIRECTS = 4;
/** The link to the REST API is in the head of the page. */
const PAGE_BYTES = 300_000;

interface Site {
  /** As entered, or with https if the site redirects there. */
  readonly baseUrl: string;
  /** For the home page, after redirects. */
  readonly pageUrl: string;
  readonly response: OutboundResponse;
}

interface RestApi {
  readonly root: string;
  /** Null if the index is hidden from anonymous callers. */
  readonly applicationPasswords: boolean | null;
}

/** Verifies a WordPress site, from its address to the permission to upload. */
@Injectable()
export class WordPressVerifier {
  constructor(private readonly outbound: OutboundClient) {}

  async verify(connection: WordPressConnection, signal: AbortSignal): Promise<Verification> {
    const steps = new VerificationSteps();
    const send = (request: OutboundRequest) =>
      this.outbound.request({
        ...request,
        signal,
        headers: { accept: 'application/json', ...request.headers },
      });
    const headers = authorizationOf(connection);

    const site = await steps.run('address', () => findSite(send, connection.baseUrl));
    const api = site && (await steps.run('rest-api', () => findRestApi(send, site)));
    const user = api && (await steps.run('credentials', () => findUser(send, api, headers)));
    if (user) await steps.run('upload-permission', () => requireUpload(send, api, headers, user));
    return steps.result({ ...(site && { baseUrl: site.baseUrl }), ...(api && { restRoot: api.root }) });
  }
}

type Send = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Without credentials, because the page may still redirect. */
async function findSite(send: Send, baseUrl: string): Promise<Site> {
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

async function findRestApi(send: Send, { pageUrl, response }: Site): Promise<RestApi> {
  const link = linkInHeader(response.headers['link']) ?? (await findLinkInPage(send, pageUrl));
  if (link === null || !URL.canParse(link, pageUrl)) throw new StepFailure(noRestApiFinding());
  const root = sameSite(new URL(link, pageUrl), new URL(pageUrl));
  if (root === null) throw new StepFailure(otherHostFinding(link, response));

  const index = await send({ url: restUrl(root, '', { _fields: 'name,home,namespaces,authentication' }) });
  rejectOutage(index);
  rejectRedirect(index);
  // A plugin hides the index from anonymous callers; try again with credentials.
  if ([401, 403].includes(index.status) && readWordPressError(index))
    return { root, applicationPasswords: null };
  if (index.status !== 200) throw new StepFailure(unexpectedFinding(index));
  const json = readJson(index.body);
  const namespaces = isRecord(json) ? json['namespaces'] : null;
  if (!isRecord(json) || !Array.isArray(namespaces) || !namespaces.includes('wp/v2'))
    throw new StepFailure(notWordPressFinding());
  const { authentication } = json;
  return {
    root,
    applicationPasswords: isRecord(authentication) && 'application-passwords' in authentication,
  };
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

interface SiteUser {
  readonly isMember: boolean;
  readonly mayUpload: boolean;
}

async function findUser(send: Send, api: RestApi, headers: Record<string, string>): Promise<SiteUser> {
  if (api.applicationPasswords === false) throw new StepFailure(applicationPasswordsFinding(api.root));
  const query = { context: 'edit', _fields: 'id,name,roles,capabilities' };
  const response = await send({ url: restUrl(api.root, 'wp/v2/users/me', query), headers });
  rejectOutage(response);
  rejectRedirect(response);
  if (response.status === 401 || response.status === 403)
    throw new StepFailure(credentialsFinding(response.status, readWordPressError(response)));
  const json = readJson(response.body);
  if (response.status !== 200 || !isRecord(json) || typeof json['id'] !== 'number')
    throw new StepFailure(unexpectedFinding(response));
  const { roles, capabilities } = json;
  return {
    isMember: !Array.isArray(roles) || roles.length > 0,
    mayUpload: isRecord(capabilities) && capabilities['upload_files'] === true,
  };
}

async function requireUpload(
  send: Send,
  { root }: RestApi,
  headers: Record<string, string>,
  { isMember, mayUpload }: SiteUser,
): Promise<void> {
  if (!mayUpload) throw new StepFailure(uploadFinding(isMember));
  const options = await send({ url: restUrl(root, 'wp/v2/media'), method: 'OPTIONS', headers });
  rejectOutage(options);
  rejectRedirect(options);
  const allow = options.headers['allow'];
  // Some proxies respond to OPTIONS themselves. Then rely on the capability.
  if (allow !== undefined && allow !== '' && !/\bPOST\b/i.test(allow))
    throw new StepFailure(uploadFinding(true));
}

function rejectOutage(response: OutboundResponse): void {
  if (response.status === 503) throw new StepFailure(maintenanceFinding());
  if (isBehindSitePassword(response)) throw new StepFailure(sitePasswordFinding());
  // If HEAD fails, the page may still contain the address of the REST API.
  if (response.status >= 500 && response.status !== 501) throw new StepFailure(unexpectedFinding(response));
}

/** With credentials, no redirect is followed. */
function rejectRedirect(response: OutboundResponse): void {
  if (response.status >= 300 && response.status < 400) throw new StepFailure(redirectFinding(response));
}

/** The entered address, with the scheme and port to which the site redirects. */
function withOriginOf(baseUrl: string, pageUrl: string): string {
  return new URL(pageUrl).origin + new URL(baseUrl).pathname.replace(/\/+$/, '');
}
