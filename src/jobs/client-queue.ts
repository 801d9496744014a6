import { createHash } from 'node:crypto';

/** The queue keeps a row for each name, so clients share a fixed number of them. */
const QUEUES = 64;

/** The queue in which jobs of one kind run one at a time for this client. Few other clients have the same one. */
export function clientQueue(job: string, clientId: string): string {
  const hash = createHash('sha256').update(clientId).digest().readUInt32BE();
  return `${job}:${hash % QUEUES}`;
}
