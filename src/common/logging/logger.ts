import {
  destination as openDestination,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { currentRequestId } from '../http/request-context.js';

export let logger: Logger = pino({ level: 'silent' });

/** Never logged: credentials, cookies, tokens. Query strings are not logged at all, so presigned signatures are not either. */
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

/** The message and stack of an error, but not its other properties: database errors contain the values of the query. */
function describeError(error: unknown, causes = MAX_CAUSES): unknown {
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

export function configureLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[hidden]' },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === null ? {} : { requestId };
    },
  };
  logger = pino(options, destination ?? openDestination(STDOUT));
  return logger;
}
