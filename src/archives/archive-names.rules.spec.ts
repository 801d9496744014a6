import { safeName, UniqueNames } from './archive-names.rules.js';

describe('safeName', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['../x', '.._x'],
    ['..', '_'],
    ['a/b\\c.png', 'a_b_c.png'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Lpt1.jpg', '_Lpt1.jpg'],
    ['contact.jpg', 'contact.jpg'],
    ['trailing. . ', 'trailing'],
    ['what? "yes": <a|b>*.jpg', 'what_ _yes__ _a_b__.jpg'],
    ['line\r\nbreak\u0000.jpg', 'line__break_.jpg'],
    ['\u202Egpj.exe', '_gpj.exe'],
    ['🍞 bröd.heic', '🍞 bröd.heic'],
    ['', '_'],
  ])('makes %p into %p', (name, expected) => {
    expect(safeName(name)).toBe(expected);
  });

  it('keeps 255 bytes and the ending of a long name, and never half a character', () => {
    const name = safeName(`${'🍞'.repeat(100)}.jpeg`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^(🍞)+\.jpeg$/u);
    expect(name.isWellFormed()).toBe(true);
  });
});

describe('UniqueNames', () => {
  it('numbers clashes before the ending, without regard to case', () => {
    const names = new UniqueNames();
    expect(['a.jpg', 'A.JPG', 'a.jpg', 'a (2).jpg', 'b', 'b'].map((name) => names.claim(name))).toEqual([
      'a.jpg',
      'A (2).JPG',
      'a (3).jpg',
      'a (2) (2).jpg',
      'b',
      'b (2)',
    ]);
  });

  it('sees the same name in two Unicode forms', () => {
    const names = new UniqueNames();
    expect([names.claim('é.jpg'), names.claim('e\u0301.jpg')]).toEqual(['é.jpg', 'é (2).jpg']);
  });
});
