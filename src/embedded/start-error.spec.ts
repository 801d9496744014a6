import { PostgresStartError, type StartFailure } from '../../packages/embedded-postgres/src/start-error.js';
import { StartError } from '../common/errors/start-error.js';
import { explainPostgresStart } from './start-error.js';

const explained = (error: unknown): Error => {
  try {
    return explainPostgresStart(error);
  } catch (thrown) {
    return thrown as Error;
  }
};

describe('explainPostgresStart', () => {
  it.each<[StartFailure, string]>([
    ['directory_in_use', 'DATA_DIR'],
    ['directory_not_accessible', 'DATA_DIR'],
    ['other_version', 'DATA_DIR'],
    ['no_runtime', 'DATA_DIR'],
    ['not_installed', 'DATABASE_URL'],
    ['port_taken', 'EMBEDDED_DB_PORT'],
  ])('names the relevant setting for %s', (failure, setting) => {
    const error = explained(new PostgresStartError(failure, 'It does not start.'));
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(/^It does not start\. /);
    expect(error.message).toContain(setting);
  });

  it('keeps the message unchanged if no setting is relevant', () => {
    expect(explained(new PostgresStartError('server_failed', 'It does not start.')).message).toBe(
      'It does not start.',
    );
  });

  it('passes on unexpected errors', () => {
    const bug = new TypeError('a bug');
    expect(explained(bug)).toBe(bug);
  });
});
