import type { OutboundRequest } from '../../../outbound/outbound-client.js';
import { unexpectedFinding } from '../../target-findings.js';
import { StepFailure, type Verification, VerificationSteps } from '../../verification.js';
import {
  findRestRoot,
  findSite,
  rejectOutage,
  rejectRedirect,
  type Send,
  type Site,
} from './wordpress-discovery.js';
import {
  applicationPasswordsFinding,
  credentialsFinding,
  notWordPressFinding,
  uploadFinding,
} from './wordpress-findings.js';
import { isRecord, readJson } from '../../../outbound/read-json.js';
import { authorizationOf, type WordPressConnection, type WordPressSettings } from './wordpress-connection.js';
import { restUrl } from './wordpress-rest.js';
import type { KindServices } from '../kind-definition.js';
import { readApiError } from '../../api-error.js';

interface RestApi {
  readonly root: string;
  /** Null if the index is hidden from anonymous callers. */
  readonly applicationPasswords: boolean | null;
}

/** Verifies a WordPress site, from its address to the permission to upload. */
export async function verifyWordPress(
  connection: WordPressConnection,
  { outbound }: Pick<KindServices, 'outbound'>,
  signal: AbortSignal,
): Promise<Verification<WordPressSettings>> {
  const steps = new VerificationSteps();
  const send = (request: OutboundRequest) =>
    outbound.request({
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

async function findRestApi(send: Send, site: Site): Promise<RestApi> {
  const found = await findRestRoot(send, site);
  if ('missing' in found) throw new StepFailure(found.missing);
  const { root } = found;
  const index = await send({ url: restUrl(root, '', { _fields: 'name,home,namespaces,authentication' }) });
  rejectOutage(index);
  rejectRedirect(index);
  // A plugin hides the index from anonymous callers; try again with credentials.
  if ([401, 403].includes(index.status) && readApiError(index)) return { root, applicationPasswords: null };
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
    throw new StepFailure(credentialsFinding(response.status, readApiError(response)));
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
