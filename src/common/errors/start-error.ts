/** Why the service cannot start, with everything the user needs to know; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
