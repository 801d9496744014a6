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
    ['a referrer that is no address', {}, 'javascript:alert(1)', ['(direct)', '(none)', 'Direct']],
  ])('of %s', (_case, parameters, referrer, expected) => {
    expect(summary(parameters as Record<string, string>, referrer)).toEqual(expected);
  });

  it('shows what it was told', () => {
    expect(attribute({ utm_campaign: 'autumn', fbclid: 'f', other: 'x' }, null, null)).toMatchObject({
      campaign: 'autumn',
      utm: { utm_campaign: 'autumn' },
      clickIds: { fbclid: 'f' },
    });
  });
});
