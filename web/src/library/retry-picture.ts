import { session } from '../api/session-store';

const RENEW_AT_MOST_EVERY_MS = 30_000;

let renewedAt = 0;

/**
 * Pictures are authenticated by the cookie. If it has expired, for example while a laptop was asleep, it is renewed and
 * the picture is requested again.
 */
export function retryPicture(image: HTMLImageElement, showBroken: () => void): void {
  if (image.dataset['repeated'] || Date.now() - renewedAt < RENEW_AT_MOST_EVERY_MS) return showBroken();
  image.dataset['repeated'] = 'true';
  renewedAt = Date.now();
  void session.refresh().then((isSignedIn) => {
    if (!isSignedIn) return showBroken();
    const { src } = image;
    image.src = '';
    image.src = src;
  });
}
