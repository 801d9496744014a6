import { isIP } from 'node:net';
import { EnvironmentReader } from './environment-reader.js';
import { type Limits, PASSWORD_LENGTH, readLimits } from './limits.js';
import { decodersFor, memoryLimit } from './memory.js';
import { VERSION } from './version.js';

/** The whole configuration, read once at startup. Nothing else in the service reads the environment. */
export interface Config {
  readonly version: string;
  readonly logLevel: string;
  readonly metrics: MetricsConfig;
  /** Time for load balancers to notice, between the stop signal and closing the listener. */
  readonly drainSeconds: number;
  readonly http: HttpConfig;
  readonly pages: PagesConfig;
  readonly database: DatabaseConfig;
  readonly storage: StorageConfig | StorageNotConfigured;
  readonly auth: AuthConfig;
  /** Null: the service sends no mail. */
  readonly mail: MailConfig | null;
  readonly targets: TargetsConfig;
  readonly uploads: UploadsConfig;
  readonly sweeper: SweeperConfig;
  readonly deliveries: DeliveriesConfig;
  readonly trashRetentionSeconds: number;
  readonly limits: Limits;
  readonly media: MediaConfig;
  readonly firstOwner: { readonly email: string; readonly password: string } | null;
  readonly worker: 'inline' | 'off';
  /** Set if nothing is configured: the service then runs its own Postgres, object store and demo data. */
  readonly embedded: EmbeddedConfig | null;
}

export interface MediaConfig {
  /** Null: FFmpeg as WebAssembly, which comes with the service. */
  readonly ffmpegPath: string | null;
  /** Processes that decode files at the same time, in the foreground and the background together. */
  readonly decoders: number;
}

export interface MetricsConfig {
  /** Null means no authentication. */
  readonly token: string | null;
  /** Null means the port of the API. */
  readonly port: number | null;
}

export interface HttpConfig {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: string | number | boolean;
  /** Timeouts against slow and disconnected clients. */
  readonly timeouts: HttpTimeouts;
}

export interface PagesConfig {
  /** Undefined means the output directory of the build. */
  readonly directory: string | undefined;
  /** Origins whose pages may embed the picker. */
  readonly embedOrigins: readonly string[];
}

export interface HttpTimeouts {
  /** For receiving the headers of a request. */
  readonly headersSeconds: number;
  /** For receiving the whole request. Bodies are small, because files go to the store. */
  readonly requestSeconds: number;
  /** For an idle connection. */
  readonly idleSeconds: number;
}

export interface DatabaseConfig {
  readonly url: string;
  readonly poolSize: number;
  readonly migrate: boolean;
  /** How long to wait at the start for a database that is still starting. */
  readonly waitSeconds: number;
  /** How long to wait for the database. */
  readonly timeoutSeconds: number;
  /** Connections for listings and searches, in addition to `poolSize`. */
  readonly readPoolSize: number;
  /** How long one statement of a listing or search may run. */
  readonly readTimeoutSeconds: number;
}

export interface StorageConfig {
  readonly configured: true;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  readonly endpoint: string;
  /** The address of the store in an `uploadUrl`. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly forcePathStyle: boolean;
  /** How long to wait for a response of the store, or for its next bytes. */
  readonly timeoutSeconds: number;
  /** Nothing is written to or deleted from the bucket. */
  readonly readOnly: boolean;
  /** How often the database proves that it controls the bucket. */
  readonly controlSeconds: number;
  /** How long control must have been held before anything is deleted or delivered. */
  readonly holdSeconds: number;
}

export interface StorageNotConfigured {
  readonly configured: false;
  readonly missing: readonly string[];
}

export interface AuthConfig {
  /** The first one signs, all of them verify. To rotate, put the new secret first. */
  readonly jwtSecrets: readonly string[];
  /** The first one encrypts, all of them decrypt. To rotate, put the new key first. */
  readonly secretsKeys: readonly string[];
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** The maximum lifetime of a sign-in, even if it is refreshed. */
  readonly signInMaxSeconds: number;
}

export interface MailConfig {
  /** The mail server, with credentials. */
  readonly url: string;
  /** Whether it must encrypt by STARTTLS, unless the URL says otherwise. */
  readonly requireTls: boolean;
  readonly from: string;
}

export interface TargetsConfig {
  /** Allows targets with loopback and private addresses. */
  readonly allowPrivate: boolean;
}

export interface UploadsConfig {
  readonly urlSeconds: number;
  readonly sessionSeconds: number;
  /** How long a finalize may go without a heartbeat before another request may take over. */
  readonly leaseSeconds: number;
  /** After this time, a finalize continues in the background. */
  readonly answerSeconds: number;
  /** The number of failed attempts to finalize after which a session is rejected. */
  readonly maxAttempts: number;
}

export interface SweeperConfig {
  /** The age at which an object without a record is reported. */
  readonly reportSeconds: number;
  /** The age at which it is removed. */
  readonly removeSeconds: number;
  /** If an object without a record is newer than the last record before it by more than this, a backup was restored. */
  readonly restoreGapSeconds: number;
}

export interface DeliveriesConfig {
  /** Delays before each retry of a failed delivery. After the last retry, the delivery stays failed. */
  readonly retrySeconds: readonly number[];
  /** When to look for duplicates after a success that followed an upload without a response. */
  readonly recheckSeconds: number;
  /** How long a delivery may go without a heartbeat before another worker takes over. */
  readonly leaseSeconds: number;
  /** How long a target may take to respond once it has received an upload. */
  readonly answerSeconds: number;
  /** What a target must read of an upload on average during any `answerSeconds`. */
  readonly minBytesPerSecond: number;
  /** Deliveries that one process sends at the same time, each to a different target. */
  readonly concurrency: number;
}

export interface EmbeddedConfig {
  readonly dataDir: string;
  readonly storePort: number;
  readonly dbPort: number | undefined;
  readonly demoPassword: string;
}

export const CONTROL_SECONDS = 120;
export const DEFAULT_DEMO_PASSWORD = 'demo-demo-demo';

/** The specification's four required settings (section 1). */
const REQUIRED_STORAGE_SETTINGS = [
  'STORAGE_ACCOUNT_ID',
  'STORAGE_ACCESS_KEY_ID',
  'STORAGE_SECRET_ACCESS_KEY',
  'STORAGE_BUCKET_NAME',
] as const;

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/** Reads and validates every setting. Throws one {@link ConfigError} that names each invalid one. */
export function readConfig(env: NodeJS.ProcessEnv, memoryBytes = memoryLimit()): Config {
  const read = new EnvironmentReader(env);
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const embedded = databaseUrl === undefined;

  if (embedded && env['NODE_ENV'] === 'production') {
    read.addError('DATABASE_URL', 'is required when NODE_ENV=production');
  }
  if (embedded && REQUIRED_STORAGE_SETTINGS.some((name) => env[name])) {
    read.addError('DATABASE_URL', 'is required if STORAGE_* settings are set');
  }

  const port = read.port('PORT', 3000);
  const host = read.text('HOST') ?? (embedded ? '127.0.0.1' : '0.0.0.0');
  const shownHost = LOOPBACK.includes(host) || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const publicUrl = read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://${shownHost}:${port}`;

  const demoPassword = read.password('DEMO_PASSWORD', PASSWORD_LENGTH) ?? DEFAULT_DEMO_PASSWORD;
  if (embedded && !LOOPBACK.includes(host) && demoPassword === DEFAULT_DEMO_PASSWORD) {
    read.addError(
      'HOST',
      'requires DEMO_PASSWORD if it is not loopback, because the default demo password is public',
    );
  }

  const config: Config = {
    version: VERSION,
    logLevel: read.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    metrics: { token: read.text('METRICS_TOKEN') ?? null, port: read.optionalPort('METRICS_PORT') ?? null },
    drainSeconds: read.integer('SHUTDOWN_DRAIN_SECONDS', embedded ? 0 : 2, { min: 0, max: 60 }),
    http: {
      host,
      port,
      publicUrl: publicUrl.replace(/\/+$/, ''),
      corsOrigins: read.origins('CORS_ORIGINS'),
      trustProxy: readTrustProxy(read),
      timeouts: {
        headersSeconds: read.integer('HTTP_HEADERS_TIMEOUT_SECONDS', 20, { min: 1, max: 3_600 }),
        requestSeconds: read.integer('HTTP_REQUEST_TIMEOUT_SECONDS', 60, { min: 1, max: 3_600 }),
        idleSeconds: read.integer('HTTP_IDLE_TIMEOUT_SECONDS', 120, { min: 1, max: 3_600 }),
      },
    },
    pages: { directory: read.text('PAGES_DIR'), embedOrigins: read.origins('EMBED_ORIGINS') },
    database: {
      url: databaseUrl ?? '',
      waitSeconds: 60,
      poolSize: read.integer('DATABASE_POOL_SIZE', 10, { min: 1, max: 500 }),
      migrate: read.flag('DATABASE_MIGRATE', true),
      timeoutSeconds: read.integer('DATABASE_TIMEOUT_SECONDS', 30, { min: 1, max: 3_600 }),
      readPoolSize: read.integer('DATABASE_READ_POOL_SIZE', 8, { min: 2, max: 500 }),
      readTimeoutSeconds: read.integer('DATABASE_READ_TIMEOUT_SECONDS', 5, { min: 1, max: 3_600 }),
    },
    storage: readStorage(read),
    auth: {
      jwtSecrets: read.secrets('AUTH_JWT_SECRET', !embedded),
      secretsKeys: read.secrets('SECRETS_KEY', !embedded),
      accessTokenSeconds: read.integer('AUTH_ACCESS_TOKEN_SECONDS', 900, { min: 1, max: 86_400 }),
      refreshTokenSeconds: read.integer('AUTH_REFRESH_TOKEN_SECONDS', 30 * 86_400, {
        min: 1,
        max: 366 * 86_400,
      }),
      signInMaxSeconds: read.integer('AUTH_SIGN_IN_MAX_SECONDS', 90 * 86_400, {
        min: 1,
        max: 3_660 * 86_400,
      }),
    },
    mail: readMail(read),
    targets: { allowPrivate: read.flag('TARGETS_ALLOW_PRIVATE', false) },
    uploads: {
      urlSeconds: read.integer('UPLOAD_URL_SECONDS', 900, { min: 1, max: 604_800 }),
      sessionSeconds: read.integer('UPLOAD_SESSION_SECONDS', 86_400, { min: 1, max: 30 * 86_400 }),
      leaseSeconds: read.integer('UPLOAD_LEASE_SECONDS', 60, { min: 1, max: 3_600 }),
      answerSeconds: read.integer('UPLOAD_ANSWER_SECONDS', 25, { min: 1, max: 300 }),
      maxAttempts: read.integer('UPLOAD_MAX_ATTEMPTS', 10, { min: 1, max: 1_000 }),
    },
    sweeper: {
      reportSeconds: read.integer('ORPHAN_REPORT_SECONDS', 86_400, { min: 0, max: 366 * 86_400 }),
      removeSeconds: read.integer('ORPHAN_REMOVE_SECONDS', 7 * 86_400, { min: 0, max: 366 * 86_400 }),
      restoreGapSeconds: read.integer('RESTORE_GAP_SECONDS', 900, { min: 0, max: 366 * 86_400 }),
    },
    deliveries: {
      retrySeconds: read.integers('DELIVERY_RETRY_SECONDS', [60, 300, 900, 3_600], { min: 1, max: 86_400 }),
      recheckSeconds: read.integer('DELIVERY_RECHECK_SECONDS', 600, { min: 1, max: 86_400 }),
      leaseSeconds: read.integer('DELIVERY_LEASE_SECONDS', 30, { min: 1, max: 3_600 }),
      answerSeconds: read.integer('DELIVERY_ANSWER_SECONDS', 120, { min: 1, max: 3_600 }),
      minBytesPerSecond: read.integer('DELIVERY_MIN_BYTES_PER_SECOND', 50_000, {
        min: 0,
        max: 1_000_000_000,
      }),
      concurrency: read.integer('DELIVERY_CONCURRENCY', 16, { min: 1, max: 200 }),
    },
    trashRetentionSeconds: read.integer('TRASH_RETENTION_SECONDS', 30 * 86_400, {
      min: 0,
      max: 3_660 * 86_400,
    }),
    limits: readLimits(read),
    media: {
      ffmpegPath: read.text('FFMPEG_PATH') ?? null,
      decoders: read.integer('DECODERS', decodersFor(memoryBytes), { min: 1, max: 1_000 }),
    },
    firstOwner: readFirstOwner(read),
    worker: read.oneOf('WORKER', ['inline', 'off'], 'inline'),
    embedded: embedded
      ? {
          dataDir: read.text('DATA_DIR') ?? '.data',
          storePort: read.port('EMBEDDED_STORE_PORT', port === 0 ? 0 : port + 1),
          dbPort: read.optionalPort('EMBEDDED_DB_PORT'),
          demoPassword,
        }
      : null,
  };
  read.finish();
  return config;
}

function readStorage(read: EnvironmentReader): StorageConfig | StorageNotConfigured {
  const missing = REQUIRED_STORAGE_SETTINGS.filter((name) => !read.text(name));
  const endpoint = read.url('STORAGE_ENDPOINT', ['http:', 'https:']);
  const publicEndpoint = read.url('STORAGE_PUBLIC_ENDPOINT', ['http:', 'https:']);
  const region = read.text('STORAGE_REGION') ?? 'auto';
  const forcePathStyle = read.flag('STORAGE_FORCE_PATH_STYLE', endpoint !== undefined);
  const timeoutSeconds = read.integer('STORAGE_TIMEOUT_SECONDS', 10, { min: 1, max: 300 });
  const readOnly = read.flag('STORAGE_READ_ONLY', false);
  const controlSeconds = read.integer('STORAGE_CONTROL_SECONDS', CONTROL_SECONDS, { min: 1, max: 86_400 });
  if (missing.length > 0) return { configured: false, missing };

  const accountEndpoint = `https://${read.text('STORAGE_ACCOUNT_ID')}.r2.cloudflarestorage.com`;
  const internal = (endpoint ?? accountEndpoint).replace(/\/+$/, '');
  return {
    configured: true,
    accessKeyId: read.text('STORAGE_ACCESS_KEY_ID')!,
    secretAccessKey: read.text('STORAGE_SECRET_ACCESS_KEY')!,
    bucket: read.text('STORAGE_BUCKET_NAME')!,
    endpoint: internal,
    publicEndpoint: (publicEndpoint ?? internal).replace(/\/+$/, ''),
    region,
    forcePathStyle,
    timeoutSeconds,
    readOnly,
    controlSeconds,
    // A database that controls the bucket advances within 1.25 intervals, so that a copy of it has noticed by then.
    holdSeconds: 2 * controlSeconds,
  };
}

function readFirstOwner(read: EnvironmentReader): Config['firstOwner'] {
  const email = read.text('ADMIN_EMAIL');
  const password = read.password('ADMIN_PASSWORD', PASSWORD_LENGTH);
  if (email === undefined && password === undefined) return null;
  if (email === undefined) read.addError('ADMIN_EMAIL', 'is required with ADMIN_PASSWORD');
  if (password === undefined) read.addError('ADMIN_PASSWORD', 'is required with ADMIN_EMAIL');
  return { email: email ?? '', password: password ?? '' };
}

/** `name@example.com` or `Name <name@example.com>`. */
const SENDER = /^(?:[^\s<>@]+@[^\s<>@]+|[^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>)$/;

function readMail(read: EnvironmentReader): MailConfig | null {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = read.text('MAIL_FROM');
  if (from !== undefined && !SENDER.test(from))
    read.addError(
      'MAIL_FROM',
      'must be an address such as assets@example.com or Assets <assets@example.com>',
    );
  if (url === undefined) return null;
  if (from === undefined) read.addError('MAIL_FROM', 'is required with SMTP_URL');
  const { protocol, hostname } = new URL(url);
  const isLocal = LOOPBACK.includes(hostname.replace(/^\[|\]$/g, ''));
  return { url, requireTls: protocol === 'smtp:' && !isLocal, from: from ?? '' };
}

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Express's values: a number of hops, true/false, or addresses. */
function readTrustProxy(read: EnvironmentReader): string | number | boolean {
  const value = read.text('TRUST_PROXY');
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  if (/^\d+$/.test(value)) return Number(value);
  if (!value.split(',').every((part) => PROXY_NAMES.includes(part.trim()) || isNetwork(part.trim()))) {
    read.addError(
      'TRUST_PROXY',
      `must be true, false, a number of hops, or addresses, networks or ${PROXY_NAMES.join(', ')}`,
    );
    return false;
  }
  return value;
}

function isNetwork(text: string): boolean {
  const [, address, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address ?? '');
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}
