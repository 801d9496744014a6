import { randomUUID } from 'node:crypto';
import type { Api } from './api.js';

export const PASSWORD = 'a-password-for-tests';

export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly api: Api;
}

export type Grant = { role: string; clientIds?: string[] | null };

/** Creates a user through the API and signs them in. */
export async function newPerson(owner: Api, grant: Grant): Promise<Person> {
  const email = `${grant.role}-${randomUUID()}@test.example`;
  const { status, body } = await owner.post('/admin/users', {
    email,
    password: PASSWORD,
    name: 'Olivia Baker',
    ...grant,
  });
  if (status !== 201) throw new Error(`Creating ${grant.role} returned ${status}: ${JSON.stringify(body)}`);
  const api = await owner.signIn({ email, password: PASSWORD });
  return { userId: body.userId as string, email, password: PASSWORD, api };
}

export async function newKey(
  owner: Api,
  grant: Grant & { expiresAt?: string; surfaces?: readonly string[] },
): Promise<{ keyId: string; key: string }> {
  const { status, body } = await owner.post('/admin/api-keys', { name: 'Test key', ...grant });
  if (status !== 201) throw new Error(`Creating a key returned ${status}: ${JSON.stringify(body)}`);
  return { keyId: body.keyId as string, key: body.key as string };
}

/** Opens a picker as the embedding page's server and the frame do. Returns its access token. */
export async function newPicker(maker: Api, request: object): Promise<string> {
  const { status, body } = await maker.post('/admin/picker-tokens', request);
  if (status !== 201) throw new Error(`Creating a picker token returned ${status}: ${JSON.stringify(body)}`);
  const opened = await maker.post('/auth/picker', { token: body.token });
  if (opened.status !== 200) throw new Error(`Opening the picker returned ${opened.status}`);
  return opened.body.accessToken as string;
}

export async function newClient(owner: Api, name = 'Test client'): Promise<string> {
  const { status, body } = await owner.post('/admin/clients', { name });
  if (status !== 201) throw new Error(`Creating a client returned ${status}: ${JSON.stringify(body)}`);
  return body.clientId as string;
}
