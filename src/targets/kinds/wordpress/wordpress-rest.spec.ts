import { restUrl } from './wordpress-rest.js';

describe('REST addresses', () => {
  it.each([
    ['https://a.example/wp-json/', 'https://a.example/wp-json/wp/v2/media?slug=a%2Cb'],
    ['https://a.example/blog/wp-json', 'https://a.example/blog/wp-json/wp/v2/media?slug=a%2Cb'],
    [
      'https://a.example/index.php?rest_route=/',
      'https://a.example/index.php?rest_route=/wp/v2/media&slug=a%2Cb',
    ],
    [
      'https://a.example/?lang=de&rest_route=/',
      'https://a.example/?lang=de&rest_route=/wp/v2/media&slug=a%2Cb',
    ],
  ])('are built on %s', (root, address) =>
    expect(restUrl(root, 'wp/v2/media', { slug: 'a,b' })).toBe(address),
  );
});
