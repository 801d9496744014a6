import { concealing } from './conceal.js';

const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678';
const BARE = PASSWORD.replaceAll(' ', '');
const TOKEN = Buffer.from(`asset-library:${PASSWORD}`).toString('base64');
/** As JSON, which may escape any character; some libraries escape `+` and `/`. */
const partlyEscaped = (text: string) =>
  [...text]
    .map((character, at) =>
      at % 5 > 0 && /[a-z\d]/i.test(character)
        ? character
        : `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    )
    .join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('The credentials of a request', () => {
  const conceal = concealing(`Basic ${TOKEN}`);

  it.each([
    ['as sent', `Basic ${TOKEN}`],
    ['the password', PASSWORD],
    ['the password without blanks', BARE],
    ['user name and password', `asset-library:${PASSWORD}`],
    ['URL-encoded', encodeURIComponent(PASSWORD)],
    ['URL-encoded for a form', PASSWORD.replaceAll(' ', '+')],
    ['URL-encoded letter by letter', [...BARE].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
    ['the header, URL-encoded', encodeURIComponent(`Basic ${TOKEN}`)],
    ['Base64 of the password', base64(PASSWORD)],
    ['Base64 of user name and bare password', base64(`asset-library:${BARE}`)],
    ['Base64 of another user name', base64(`me:${PASSWORD}`)],
    ['Base64 of the whole header', base64(`authorization: Basic ${TOKEN}`)],
    ['Base64 for URLs', Buffer.from(`x:${PASSWORD}`).toString('base64url')],
    ['JSON with escaped slashes', JSON.stringify({ authorization: TOKEN }).replaceAll('/', '\\/')],
    ['JSON with other characters escaped', partlyEscaped(TOKEN)],
    ['JSON within JSON', JSON.stringify(partlyEscaped(TOKEN))],
    ['wrapped lines', TOKEN.replace(/.{20}/g, '$&\n ')],
    ['the first half of the password', PASSWORD.slice(0, 14)],
    ['the last half of the password', PASSWORD.slice(15)],
    ['the header cut off', `Authorization: Basic ${TOKEN.slice(0, -9)}`],
  ])('are removed from a text: %s', (_what, echoed) => {
    const shown = conceal(`You sent (${echoed}), which is not allowed.`);
    expect(shown).toMatch(/^You sent \(.*, which is not allowed\.$/s);
    expect(shown).toContain('[hidden]');
    const read = shown.replace(/[^a-z0-9]/gi, '');
    for (const secret of [BARE, base64(PASSWORD), TOKEN]) {
      const bare = secret.replace(/[^a-z0-9]/gi, '');
      for (let at = 0; at + 8 <= bare.length; at++) expect(read).not.toContain(bare.slice(at, at + 8));
    }
  });

  it('leave other texts alone', () => {
    for (const text of [
      '',
      'Sorry, you are not allowed to do that.',
      'Größe 100% 日本語 %zz %',
      '&#x41; \ufffd',
    ])
      expect(conceal(text)).toBe(text);
    expect(concealing(undefined)(PASSWORD)).toBe(PASSWORD);
  });

  it.each([
    ['a token', 'Bearer s3cr3t-t0k3n.part', 's3cr3t-t0k3n.part'],
    ['a short token', 'Bearer xyz', 'xyz'],
    ['punctuation', 'Bearer !!$$%%&&', '!!$$%%&&'],
    ['a percent sign', 'Bearer a%41b-c%42d', 'a%41b-c%42d'],
    ['another script', `Basic ${base64('u:Schlüssel-пароль')}`, 'Schlüssel-пароль'],
  ])('may be %s', (_what, authorization, secret) => {
    const filter = concealing(authorization);
    expect(filter(`Got ${secret}!`)).toBe('Got [hidden]!');
    expect(filter(`Got ${encodeURIComponent(secret)}!`)).toBe('Got [hidden]!');
  });

  it('take little time to look for', () => {
    const long = concealing(`Bearer ${'abcdefgh12345678'.repeat(250)}`);
    const start = performance.now();
    expect(long('abcdefgh1234567'.repeat(550)).length).toBeLessThan(8_000);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
