import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadableError } from '../secrets/secret-box.js';
import { TargetConnections } from './target-connections.js';
import { TargetsRepository } from './targets.repository.js';

const BATCH = 100;

export interface RotationReport {
  /** Re-encrypted with the first key. */
  rotated: number;
  /** No configured key decrypts them. They are not changed. */
  unreadable: number;
}

/** Re-encrypts stored credentials with the first key of `SECRETS_KEY`, so that the other keys can be removed. */
@Injectable()
export class CredentialRotation {
  constructor(
    private readonly targets: TargetsRepository,
    private readonly connections: TargetConnections,
    private readonly secrets: SecretBox,
  ) {}

  async rotate(): Promise<RotationReport> {
    const report: RotationReport = { rotated: 0, unreadable: 0 };
    let after: string | null = null;
    for (;;) {
      const batch = await this.targets.findEncryptedOtherwise(this.secrets.currentPrefix, after, BATCH);
      for (const target of batch) {
        const before = target.credentials!;
        try {
          const encrypted = this.connections.encrypt(target, this.connections.decrypt(target, before));
          if (await this.targets.replaceCredentials(target, target.id, before, encrypted))
            report.rotated += 1;
        } catch (error) {
          if (!(error instanceof SecretUnreadableError)) throw error;
          report.unreadable += 1;
        }
      }
      if (batch.length < BATCH) return report;
      after = batch.at(-1)!.id;
    }
  }
}
