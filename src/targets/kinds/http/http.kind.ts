import { requireTargetUrl } from '../../target-url.rules.js';
import type { KindDefinition } from '../kind-definition.js';
import type { HttpConnection, HttpSettings } from './http-connection.js';
import { CreateHttpTargetDto, HttpTargetViewDto, UpdateHttpTargetDto } from './http.dto.js';
import { HttpSender } from './http.sender.js';
import { verifyHttp } from './http.verifier.js';

/** Any endpoint that accepts files as the body of a request. */
export const HTTP: KindDefinition<CreateHttpTargetDto, HttpSettings, HttpConnection> = {
  createDto: CreateHttpTargetDto,
  updateDto: UpdateHttpTargetDto,
  viewDto: HttpTargetViewDto,
  changeable: ['method'],
  secrets: ['bearerToken'],
  originals: 'stored',
  settingsOf: ({ url, method }) => ({ url: requireTargetUrl('url', url).href, method }),
  view: ({ url, method }, hasBearerToken) => ({ url, method, hasBearerToken }),
  auditView: ({ url, method }) => ({ url: url.split('?')[0], method }),
  verify: verifyHttp,
  sender: (connection, services) => new HttpSender(connection, services),
};
