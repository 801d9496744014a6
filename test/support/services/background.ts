import { eventually } from '../eventually.js';
import { query, type RunningService, type Service } from './service.js';

type WithDatabase = Pick<RunningService, 'databaseUrl'>;

/** Runs a background job now and waits until it has ended. */
export async function runJob(
  { databaseUrl }: WithDatabase,
  name: string,
  payload: object = {},
): Promise<void> {
  const [job] = await query<{ id: string }>(
    databaseUrl,
    'SELECT id FROM graphile_worker.add_job($1, $2::json)',
    [name, JSON.stringify(payload)],
  );
  await eventually(async () => {
    const rows = await query<{ last_error: string | null }>(
      databaseUrl,
      'SELECT last_error FROM graphile_worker.jobs WHERE id = $1',
      [job!.id],
    );
    expect(rows).toEqual([]);
  }, 30_000);
}

/** Runs all queued jobs and does what is due for ended sessions, regardless of when that is, until nothing is left. */
export async function drainQueue({ databaseUrl }: WithDatabase, withinMs = 60_000): Promise<void> {
  await eventually(async () => {
    await query(
      databaseUrl,
      `WITH due AS (
         UPDATE upload_sessions SET delete_upload_at = now(), url_expires_at = now() - interval '2 hours'
          WHERE delete_upload_at > now() OR delete_upload_at IS NOT NULL AND url_expires_at > now() - interval '1 hour'
          RETURNING id)
       SELECT graphile_worker.add_job('delete-uploads', job_key => 'drain') FROM due LIMIT 1`,
    );
    await query(
      databaseUrl,
      'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL AND run_at > now()',
    );
    const [row] = await query<{ open: string }>(
      databaseUrl,
      `SELECT (SELECT count(*) FROM graphile_worker.jobs)
            + (SELECT count(*) FROM upload_sessions WHERE delete_upload_at IS NOT NULL) AS open`,
    );
    expect(Number(row!.open)).toBe(0);
  }, withinMs);
}

export type ReconcileReport = Record<
  'seen' | 'orphans' | 'unrecorded' | 'unknownClients' | 'removed' | 'stale' | 'missing',
  number
> & { restored: boolean };

/** Reconciles bucket and database now; returns what the service logged about it. */
export async function reconcile(service: Pick<Service, 'databaseUrl' | 'output'>): Promise<ReconcileReport> {
  const reports = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('reconciled bucket and database'));
  const before = reports().length;
  await runJob(service, 'reconcile');
  return eventually(() => {
    expect(reports().length).toBeGreaterThan(before);
    return JSON.parse(reports().at(-1)!) as ReconcileReport;
  });
}

/** Runs the jobs that the service runs every minute, and those that are due within the next hour. */
export async function sweep(service: WithDatabase): Promise<void> {
  await runJob(service, 'expire-sessions');
  await drainQueue(service);
}
