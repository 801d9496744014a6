/** Why the server does not start, for callers that want to add a remedy. */
export type StartFailure =
  | 'directory_in_use'
  | 'directory_not_accessible'
  | 'no_runtime'
  | 'not_installed'
  | 'other_version'
  | 'port_taken'
  | 'server_failed';

/** The message contains everything the user needs to know, so it is shown without a stack. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';

  constructor(
    readonly failure: StartFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
