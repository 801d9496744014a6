import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid } from '../common/ids.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import type { SignIn } from '../database/entities/sign-in.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { SignInsRepository } from './sign-ins.repository.js';

/** Where the caller is signed in. API keys have no sign-ins. */
@Injectable()
export class OwnSignIns {
  constructor(
    private readonly database: Database,
    private readonly signIns: SignInsRepository,
    private readonly users: UsersRepository,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
  ) {}

  async list(caller: Principal, { cursor, limit }: PageQuery): Promise<Page<SignIn>> {
    const before = decodeCursor(cursor, isUuidText);
    const rows = await this.signIns.findPage(caller.id, before, limit + 1);
    return toPage(rows, limit, (signIn) => signIn.id);
  }

  async end(caller: Principal, signInId: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      if (!isUuid(signInId) || !(await this.signIns.end(caller.id, signInId, manager)))
        throw new Problem('sign_in_not_found');
      await this.audit.record(manager, { ...endedBy(caller), action: 'sign_in.end' });
    });
    await this.accessChanges.confirm();
  }

  async endOthers(caller: Principal): Promise<void> {
    await this.database.transaction(async (manager) => {
      const ended = await this.users.endSignIns(caller.id, caller.signInId, manager);
      if (ended > 0) await this.audit.record(manager, { ...endedBy(caller), action: 'sign_in.end_others' });
    });
    await this.accessChanges.confirm();
  }
}

const endedBy = (caller: Principal) => ({ actor: caller, subject: ['user', caller.id] as const });
