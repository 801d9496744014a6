import {
  destination as openDestination,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { currentRequestId } from '../http/request-context.js';

export let logger: Logger = pino({ level: 'silent' });

/** For the line that every request leaves. It holds only what it names, so there is nothing to hide in it or to add to it. */
export let accessLogger: Logger = logger;

/** Never in a log: credentials, cookies, tokens. Query strings are not logged at all, so neither are presigned signatures. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'uploadToken',
  'refreshToken',
  'accessToken',
  'secret',
  'applicationPassword',
  'bearerToken',
  'credentials',
  'uploadUrl',
];

const MAX_CAUSES = 5;
const STDOUT = 1;

/** What an error says and where it comes from, not what it carries: the database's errors carry the values of the query. */
export function describeError(error: unknown, causes = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause !== undefined && causes > 0 ? { cause: describeError(cause, causes - 1) } : {}),
  };
}

/** Written together, at the latest after this time. In pieces that a pipe takes whole, so that they never mix with other lines. */
const ACCESS_LINES = { minLength: 3_500, maxWrite: 4_096, periodicFlush: 100 };

export function configureLogger(level: string, destination?: DestinationStream): Logger {
  const plain = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  const options = {
    ...plain,
    serializers: { err: describeError },
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[hidden]' },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === null ? {} : { requestId };
    },
  };
  accessLogger = pino(plain, destination ?? accessLines());
  logger = pino(options, destination ?? openDestination(STDOUT));
  return logger;
}

function accessLines(): DestinationStream {
  const lines = openDestination({ dest: STDOUT, sync: true, ...ACCESS_LINES });
  process.once('exit', () => lines.flushSync());
  return lines;
}
