import type { INestApplicationContext } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AuthRepository } from '../auth/auth.repository.js';
import type { ClientScope, Principal } from '../access/principal.js';
import { Passwords } from '../auth/passwords.js';
import { SignInService } from '../auth/sign-in.service.js';
import { FoldersService } from '../folders/folders.service.js';
import { FinalizeService } from '../uploads/finalize.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { DEMO_CLIENT, DEMO_UPLOADER } from './demo-accounts.js';
import { sampleAssets } from './samples.js';

/** Uploads the demo client's files like a browser: session, PUT, finalize. Only once, so that deleted samples stay deleted. */
export async function ensureSamples(
  app: INestApplicationContext,
  password: string,
  marker: string,
): Promise<void> {
  if (existsSync(marker)) return;
  const actor = await signIn(app, password);
  const scope: ClientScope = { clientId: DEMO_CLIENT, actor };
  for (const sample of sampleAssets) {
    const { file, mimeType, folder, ...described } = sample;
    const folderId = folder ? await ensureFolder(app, scope, folder) : null;
    const bytes = await readFile(fileURLToPath(new URL(`./samples/${file}`, import.meta.url)));
    const { uploadUrl, uploadToken } = await app
      .get(UploadsService)
      .create(scope, { originalFilename: file, mimeType, expectedSizeBytes: bytes.length, folderId });
    const stored = await fetch(uploadUrl, { method: 'PUT', body: bytes });
    if (!stored.ok)
      throw new Error(`The embedded object store responded with status ${stored.status} to a sample upload.`);
    await app.get(FinalizeService).finalize(scope, { uploadToken, ...described });
  }
  await app.get(SignInService).signOut(actor);
  await writeFile(marker, '');
}

/** A folder at the top level, created if it does not exist. */
async function ensureFolder(app: INestApplicationContext, scope: ClientScope, name: string): Promise<string> {
  const { folders } = await app.get(FoldersService).tree(scope);
  const existing = folders.find(({ path }) => path === name);
  return (existing ?? (await app.get(FoldersService).create(scope, { name }))).folder.id;
}

async function signIn(app: INestApplicationContext, password: string): Promise<Principal> {
  const origin = { address: '127.0.0.1', deviceToken: null, userAgent: null };
  const proof = await app.get(Passwords).prove({ email: DEMO_UPLOADER, password }, origin);
  const { user, signInId } = await app.get(SignInService).signIn(proof, origin);
  return (await app.get(AuthRepository).findActiveUser(user.id, signInId))!.principal;
}
