import { listRouteRules } from '../support/route-rules.js';

/** Every route with what it demands. A new or widened route must show up here, and so in review, as a changed line. */
const ROUTES = `
DELETE /admin/api-keys/:keyId                                              api-keys:manage
DELETE /admin/clients/:clientId/assets/upload-session/:sessionId           assets:write
DELETE /portal/assets/upload-session/:sessionId                            assets:write
GET    /admin/api-keys                                                     api-keys:manage
GET    /admin/clients                                                      clients:read
GET    /admin/clients/:clientId                                            clients:read
GET    /admin/clients/:clientId/assets/:assetId                            assets:read
GET    /admin/clients/:clientId/assets/:assetId/download                   assets:read
GET    /admin/clients/:clientId/assets/upload-session/:sessionId           assets:write
GET    /admin/clients/:clientId/audit                                      audit:read
GET    /admin/users                                                        users:manage
GET    /auth/me                                                            authenticated
GET    /healthz                                                            public
GET    /portal/assets/:assetId                                             assets:read
GET    /portal/assets/:assetId/download                                    assets:read
GET    /portal/assets/upload-session/:sessionId                            assets:write
GET    /readyz                                                             public
GET    /status                                                             public
PATCH  /admin/clients/:clientId                                            clients:manage
PATCH  /admin/users/:userId                                                users:manage
POST   /admin/api-keys                                                     api-keys:manage
POST   /admin/clients                                                      clients:manage
POST   /admin/clients/:clientId/assets/upload-session                      assets:write
POST   /admin/clients/:clientId/assets/upload-session/:sessionId/renew     assets:write
POST   /admin/clients/:clientId/assets/upload-session/finalize             assets:write
POST   /admin/users                                                        users:manage
POST   /auth/login                                                         public
POST   /auth/logout                                                        authenticated
POST   /auth/password                                                      authenticated
POST   /auth/refresh                                                       public
POST   /auth/token                                                         public
POST   /portal/assets/upload-session                                       assets:write
POST   /portal/assets/upload-session/:sessionId/renew                      assets:write
POST   /portal/assets/upload-session/finalize                              assets:write
`;

describe('The route table', () => {
  it('is exactly this', async () => {
    const lines = (await listRouteRules()).map(({ method, path, rule }) => `${method} ${path} ${rule}`);
    const expected = ROUTES.trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '));
    expect(lines.sort()).toEqual(expected);
  });
});
