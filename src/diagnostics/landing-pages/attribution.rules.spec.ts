import { attribute } from './attribution.rules.js';

const summary = (parameters: Record<string, string>, referrer: string | null = null) => {
  const { source, medium, channel } = attribute(parameters, referrer, 'bakery.example');
  return [source, medium, channel];
};

describe('attribute', () => {
  it.each([
    ['nothing', {}, null, ['(direct)', '(none)', 'Direct']],
    ['our own page', {}, 'https://bakery.example/menu', ['(direct)', '(none)', 'Direct']],
    ['a search engine', {}, 'https://www.google.co.uk/', ['google', 'organic', 'Organic search']],
    ['a social network', {}, 'https://l.instagram.com/?u=x', ['instagram', 'social', 'Organic social']],
    ['another site', {}, 'https://blog.example.org/post', ['blog.example.org', 'referral', 'Referral']],
    [
      'a look-alike of a search engine',
      {},
      'https://google.com.evil.example/',
      ['google.com.evil.example', 'referral', 'Referral'],
    ],
    ['a click id', { gclid: 'abc' }, 'https://www.google.com/', ['google', 'cpc', 'Paid search']],
    [
      'utm values before a click id',
      { utm_source: 'Newsletter', utm_medium: 'Email', gclid: 'x' },
      null,
      ['newsletter', 'email', 'Email'],
    ],
    ['a source without a medium', { utm_source: 'flyer' }, null, ['flyer', '(not set)', 'Other']],
    ['a referrer that is not a web address', {}, 'javascript:alert(1)', ['(direct)', '(none)', 'Direct']],
  ])('of %s', (_case, parameters, referrer, expected) => {
    expect(summary(parameters as Record<string, string>, referrer)).toEqual(expected);
  });

  it.each([
    ['google', 'www.google.com', 'google.de', 'news.google.co.jp', 'google.com.br', 'google.cat'],
    ['yahoo', 'search.yahoo.com', 'yahoo.co.jp', 'fr.yahoo.com'],
    ['yandex', 'yandex.ru', 'yandex.com.tr'],
    ['pinterest', 'pinterest.at', 'www.pinterest.co.uk', 'pinterest.com.au', 'pin.it'],
  ])('knows %s in every country', (source, ...hosts) => {
    expect(hosts.map((host) => summary({}, `https://${host}/`)[0])).toEqual(hosts.map(() => source));
  });

  it.each([
    'google.xy.io',
    'google.a.co',
    'yahoo.evil.io',
    'yandex.x.dev',
    'pinterest.ab.me',
    'notgoogle.com',
  ])('treats %s as a plain referrer', (host) =>
    expect(summary({}, `https://${host}/`)).toEqual([host, 'referral', 'Referral']),
  );

  it('returns its inputs', () => {
    expect(attribute({ utm_campaign: 'autumn', fbclid: 'f', other: 'x' }, null, null)).toMatchObject({
      campaign: 'autumn',
      utm: { utm_campaign: 'autumn' },
      clickIds: { fbclid: 'f' },
    });
  });
});
