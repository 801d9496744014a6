import { refusalFinding } from './findings.js';

describe('A refusal by the store', () => {
  it.each(['constructor', 'toString', 'valueOf', '__proto__', 'Unknown'])(
    'with the code %s is reported like any unknown one',
    (code) => {
      expect(refusalFinding(400, `<Error><Code>${code}</Code></Error>`)).toEqual({
        cause: expect.stringContaining('400'),
        fix: expect.stringMatching(/\w/),
      });
    },
  );
});
