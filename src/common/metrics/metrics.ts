import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All Prometheus metrics, in one place so that names and labels are consistent. */
export const registry = new Registry();

const registers = [registry];

export const httpDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of requests by route template',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const openEventStreams = new Gauge({
  name: 'event_streams_open',
  help: 'Open streams of server-sent events',
  registers,
});

export const callerLookups = new Counter({
  name: 'caller_lookups_total',
  help: 'Callers looked up in the database because no cached result could be used',
  registers,
});

export const storeCalls = new Counter({
  name: 'store_calls_total',
  help: 'Calls to the object store by operation and outcome',
  labelNames: ['operation', 'outcome'] as const,
  registers,
});

export const finalizes = new Counter({
  name: 'finalizes_total',
  help: 'Finalized uploads by outcome: created, or the code of the problem',
  labelNames: ['outcome'] as const,
  registers,
});

export const renditionsMade = new Counter({
  name: 'renditions_total',
  help: 'Renditions by outcome: made, failed, or given_back (not the fault of the file, can be retried)',
  labelNames: ['outcome'] as const,
  registers,
});

export const decoderExits = new Counter({
  name: 'decoder_exits_total',
  help: 'Decoders that ended without a result, by reason: killed (by the kernel or an operator), crashed, over_memory or timeout',
  labelNames: ['reason'] as const,
  registers,
});

export const deliveriesEnded = new Counter({
  name: 'deliveries_total',
  help: 'Delivery attempts by outcome: delivered, failed, will_retry or cancelled',
  labelNames: ['outcome'] as const,
  registers,
});

export const jobsRun = new Counter({
  name: 'jobs_total',
  help: 'Background jobs by name and outcome',
  labelNames: ['job', 'outcome'] as const,
  registers,
});

export const sweptObjects = new Gauge({
  name: 'sweeper_objects',
  help: 'What the last reconciliation of bucket and database found',
  labelNames: ['kind'] as const,
  registers,
});

export const bucketControl = new Gauge({
  name: 'bucket_control',
  help: '1 if the database controls the bucket; otherwise 0, and nothing is deleted from it',
  registers,
});

export const poolConnections = new Gauge({
  name: 'database_pool_connections',
  help: 'Connections of the pool by state',
  labelNames: ['state'] as const,
  registers,
});

export const queueJobs = new Gauge({ name: 'queue_jobs', help: 'Jobs waiting in the queue', registers });

export const queueAge = new Gauge({
  name: 'queue_oldest_job_seconds',
  help: 'How long the oldest job that is due has been waiting',
  registers,
});

export const tempFreeBytes = new Gauge({
  name: 'temp_free_bytes',
  help: 'Free space for temporary files',
  registers,
});

/** Process metrics. Not started at import, so that short-lived commands do not start its timers. */
export function collectProcessMetrics(): void {
  if (!registry.getSingleMetric('process_cpu_user_seconds_total'))
    collectDefaultMetrics({ register: registry });
}
