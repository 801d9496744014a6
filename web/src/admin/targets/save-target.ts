import { adminApi, body, type Schemas } from '../../api/client';
import type { Scope } from '../../scope/scope';
import type { Kind, KINDS } from './kinds/kinds';
import type { Target } from './targets-query';

export type NewTarget = { name: string } & ReturnType<(typeof KINDS)[Kind]['newTargetIn']>;
type Saved = Schemas['VerifiedTargetDto'];

const TARGETS = '/admin/clients/{clientId}/targets';
const MAX_NAME = 200;

export function createTarget({ clientId }: Scope, wanted: NewTarget): Promise<Saved> {
  return body(adminApi.POST(TARGETS, { params: { path: { clientId } }, body: wanted }));
}

/**
 * Creates the new target first, so that the old one is kept if that fails. Two targets cannot have the same name, so the new one takes it last.
 */
export async function replaceTarget(scope: Scope, old: Target, wanted: NewTarget): Promise<Saved> {
  const isSameName = wanted.name.toLowerCase() === old.name.toLowerCase();
  const name = isSameName ? `${wanted.name.slice(0, MAX_NAME - NEW.length)}${NEW}` : wanted.name;
  const created = await createTarget(scope, { ...wanted, name });
  try {
    await deleteTarget(scope, old);
  } catch (error) {
    await deleteTarget(scope, created).catch(() => undefined);
    throw error;
  }
  return isSameName ? rename(scope, created, wanted.name) : created;
}

const NEW = ' (new)';

async function deleteTarget({ clientId }: Scope, { targetId }: Target): Promise<void> {
  await adminApi.DELETE(`${TARGETS}/{targetId}`, { params: { path: { clientId, targetId } } });
}

/** The target works under its first name too, so a failure changes nothing else. */
async function rename({ clientId }: Scope, created: Saved, name: string): Promise<Saved> {
  const params = { path: { clientId, targetId: created.targetId } };
  try {
    const { verification: _, ...renamed } = await body(
      adminApi.PATCH(`${TARGETS}/{targetId}`, { params, body: { name } }),
    );
    return { ...renamed, verification: created.verification };
  } catch {
    return created;
  }
}
