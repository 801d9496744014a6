import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('A store in a separate thread', () => {
  it('names a port that is in use, responds to requests, and closes', () => {
    const program = join(__dirname, 'start-threads.mjs');
    const output = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 });
    expect(JSON.parse(output)).toEqual({
      code: 'EADDRINUSE',
      namesPort: true,
      status: 403,
      isClosed: true,
    });
  });
});
