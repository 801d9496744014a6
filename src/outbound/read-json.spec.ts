import { readJson } from './read-json.js';

describe('The JSON of a response', () => {
  const json = (text: string) => readJson(Buffer.from(text));

  it('is found after PHP warnings', () => {
    expect(json('{"id":7}')).toEqual({ id: 7 });
    expect(json('<b>Warning</b>: Undefined array key "x" in {closure}() [internal]\n{"id":7}')).toEqual({
      id: 7,
    });
    expect(json('Notice: [] {"broken"\n[{"id":7}]')).toEqual([{ id: 7 }]);
    expect(json('<html></html>')).toBeUndefined();
    expect(json('')).toBeUndefined();
    expect(json('{"'.repeat(400_000))).toBeUndefined();
  });
});
