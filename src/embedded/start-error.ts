/** Says all the user needs to know about why the service cannot start; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
