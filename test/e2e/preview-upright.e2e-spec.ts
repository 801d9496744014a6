import sharp, { type Sharp } from 'sharp';
import { meanDeltaE } from '../support/media/comparison.js';
import { demoSample } from '../support/media/media-harness.js';
import { ORIENTATIONS, storedAs } from '../support/media/orientations.js';
import { newClient } from '../support/api/people.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';
import { Uploader } from '../support/api/uploads.js';

const WIDTH = 720;
const HEIGHT = 480;
const SIZES = [
  ['thumb', 256],
  ['small', 640],
  ['large', 1600],
] as const;
/** Long enough never to occur by chance in compressed bytes. */
const TRACES = /Exif|EXIF|ns\.adobe|xmpmeta|Secret/;
/** Points to the GPS directory of an EXIF block, in Intel's byte order. */
const GPS_TAG = Buffer.from([0x25, 0x88]);

let service: RunningService;
let admin: Uploader;
let upright: Buffer;

beforeAll(async () => {
  service = await sharedService();
  const owner = await service.api.signIn(OWNER);
  admin = Uploader.admin(owner, await newClient(owner));
  // A picture that looks different when rotated or mirrored.
  upright = await sharp(demoSample('storefront.jpg'))
    .resize(WIDTH, HEIGHT, { fit: 'cover' })
    .png()
    .toBuffer();
});

/** A photograph as a phone stores it: in sensor orientation, with its orientation, location and author in the metadata. */
async function photograph(orientation: number, encode = (picture: Sharp) => picture.jpeg({ quality: 97 })) {
  const tagged = encode(storedAs(orientation, sharp(upright)))
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Artist: 'Secret' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 30/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 0/1',
      },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><Secret/></x:xmpmeta>');
  const bytes = await tagged.toBuffer();
  const written = await sharp(bytes).metadata();
  expect(written.orientation).toBe(orientation);
  expect(written.exif?.includes(GPS_TAG)).toBe(true);
  expect(bytes.toString('latin1')).toMatch(TRACES);
  return { name: `orientation-${orientation}.jpg`, mimeType: 'image/jpeg', bytes };
}

async function preview(assetId: string, query: string, accept: string) {
  const response = await admin.api.fetch('GET', `${admin.base}/${assetId}/preview${query}`, {
    headers: { accept },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, accept]);
  return Buffer.from(await response.arrayBuffer());
}

describe('A photograph', () => {
  it.each(ORIENTATIONS)(
    'of orientation %i has the size in which it is shown, and previews that are upright and contain nothing else',
    async (orientation) => {
      const file = await photograph(orientation);
      const asset = await admin.upload(file);
      expect([asset.width, asset.height]).toEqual([WIDTH, HEIGHT]);
      for (const [size, side] of SIZES) {
        const width = Math.min(side, WIDTH);
        const reference = await sharp(upright).resize(width).png().toBuffer();
        for (const accept of ['image/webp', 'image/jpeg']) {
          const shown = await preview(asset.assetId, `?size=${size}`, accept);
          expect(await meanDeltaE(shown, reference)).toBeLessThan(2.5);
          expect(shown.toString('latin1')).not.toMatch(TRACES);
          const { exif, xmp, iptc, icc, orientation: left } = await sharp(shown).metadata();
          expect({ exif, xmp, iptc, icc, left }).toEqual({});
        }
      }
    },
  );

  it('keeps all metadata in the original', async () => {
    const file = await photograph(6);
    const { assetId } = await admin.upload(file);
    expect((await preview(assetId, '', 'image/jpeg')).equals(file.bytes)).toBe(true);
  });

  it('would look wrong in any other orientation', async () => {
    for (const orientation of ORIENTATIONS.slice(1)) {
      const lying = await storedAs(orientation, sharp(upright))
        .resize(WIDTH, HEIGHT, { fit: 'fill' })
        .png()
        .toBuffer();
      expect(await meanDeltaE(lying, upright)).toBeGreaterThan(5);
    }
  });
});
