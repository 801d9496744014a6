import { authorizedFetch } from '../api/authorized-fetch';

const KEPT = 300;

/** Object URLs of pictures, oldest first. */
const loaded = new Map<string, Promise<string>>();

/**
 * A picture as a blob: in a frame on another site the cookie is not sent, so it is fetched with the access token. The
 * oldest are dropped; an image that is still shown does not change, because the browser has already decoded it.
 */
export function loadPicture(url: string): Promise<string> {
  let picture = loaded.get(url);
  if (!picture) {
    picture = fetchPicture(url);
    picture.catch(() => loaded.delete(url));
    loaded.set(url, picture);
    forgetOldest();
  }
  return picture;
}

async function fetchPicture(url: string): Promise<string> {
  const response = await authorizedFetch(new Request(new URL(url, location.href)));
  return URL.createObjectURL(await response.blob());
}

function forgetOldest(): void {
  for (const [url, picture] of loaded) {
    if (loaded.size <= KEPT) return;
    loaded.delete(url);
    picture.then(
      (address) => URL.revokeObjectURL(address),
      () => undefined,
    );
  }
}
