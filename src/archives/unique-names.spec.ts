import { safeName } from '../assets/file-names.rules.js';
import { UniqueNames } from './unique-names.js';

describe('UniqueNames', () => {
  it('numbers clashes before the extension, ignoring case', () => {
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

  it('treats the same name in two Unicode forms as equal', () => {
    const names = new UniqueNames();
    expect(['é.jpg', 'e\u0301.jpg'].map((name) => names.claim(safeName(name)))).toEqual([
      'é.jpg',
      'é (2).jpg',
    ]);
  });

  it('gives twenty thousand files of one name consecutive numbers', () => {
    const names = new UniqueNames();
    const claimed = Array.from({ length: 20_000 }, () => names.claim('IMG_0001.JPG'));
    expect(claimed[0]).toBe('IMG_0001.JPG');
    expect(claimed.slice(1)).toEqual(claimed.slice(1).map((_, index) => `IMG_0001 (${index + 2}).JPG`));
  });

  // Searching from 2 for each name would be quadratic.
  it('numbers long names that are equal once truncated in linear time', () => {
    const names = new UniqueNames();
    const claimed = new Set<string>();
    for (let index = 0; index < 3_000; index++) {
      const name = `${'x'.repeat(240)}${String(index).padStart(11, '0')}.jpg`;
      for (let copy = 0; copy < 2; copy++) claimed.add(names.claim(name).toLowerCase());
    }
    expect(claimed.size).toBe(6_000);
    for (const name of claimed) expect(name.length).toBeLessThanOrEqual(255);
  });

  it('skips numbered names that files already have', () => {
    const names = new UniqueNames();
    for (let number = 2; number <= 20; number++) names.claim(`a (${number}).jpg`);
    expect(['a.jpg', 'a.jpg', 'a.jpg'].map((name) => names.claim(name))).toEqual([
      'a.jpg',
      'a (21).jpg',
      'a (22).jpg',
    ]);
  });
});
