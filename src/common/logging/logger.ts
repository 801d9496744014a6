import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { currentRequestId } from '../http/request-context.js';

export let logger: Logger = pino({ level: 'silent' });

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
  'uploadUrl',
];

export function configureLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[hidden]' },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === null ? {} : { requestId };
    },
  };
  logger = destination ? pino(options, destination) : pino(options);
  return logger;
}
