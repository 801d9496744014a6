/** How a file begins: bytes at an offset, or the brands of an ISO base media file (MP4, HEIF). */
type Signature =
  { readonly bytes: readonly (readonly [offset: number, hex: string])[] } | { readonly brands: string };

interface FileType {
  readonly name: string;
  /** The first one is added to names that have none of them. */
  readonly extensions: readonly [string, ...string[]];
  /** Other types that browsers declare for files with one of the extensions. */
  readonly aliases?: readonly string[];
  readonly signature: Signature;
  /** In `child/decoders.ts`. */
  readonly decoder: 'raster' | 'heic' | 'mp4';
  readonly isShownByBrowsers: boolean;
  readonly canBeTransparent: boolean;
  /** The format of full-size renditions of pictures. */
  readonly renditionFormat: RenditionFormat | null;
}

export type RenditionFormat = 'webp' | 'jpeg' | 'png';

/** The types that the library accepts (specification, "Supported formats"). Another type is another entry, and a decoder if none reads it. */
export const FILE_TYPES = {
  'image/jpeg': {
    name: 'JPEG',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    signature: { bytes: [[0, 'ffd8ff']] },
    decoder: 'raster',
    isShownByBrowsers: true,
    canBeTransparent: false,
    renditionFormat: 'jpeg',
  },
  'image/png': {
    name: 'PNG',
    extensions: ['png'],
    signature: { bytes: [[0, '89504e470d0a1a0a']] },
    decoder: 'raster',
    isShownByBrowsers: true,
    canBeTransparent: true,
    renditionFormat: 'png',
  },
  'image/webp': {
    name: 'WebP',
    extensions: ['webp'],
    // RIFF and WEBP.
    signature: {
      bytes: [
        [0, '52494646'],
        [8, '57454250'],
      ],
    },
    decoder: 'raster',
    isShownByBrowsers: true,
    canBeTransparent: true,
    renditionFormat: 'webp',
  },
  'image/heic': {
    name: 'HEIC',
    extensions: ['heic', 'heif', 'hif'],
    aliases: ['image/heif'],
    // HEIF with any codec; `heif-structure.ts` determines which one.
    signature: {
      brands: 'heic heix heim heis hevc hevx hevm hevs mif1 mif2 msf1 avif avis avci avcs jpeg jpgs vvic',
    },
    decoder: 'heic',
    isShownByBrowsers: false,
    canBeTransparent: false,
    renditionFormat: 'jpeg',
  },
  'video/mp4': {
    name: 'MP4',
    extensions: ['mp4', 'm4v'],
    // A camera's own major brand (`XAVC`, `MSNV`, `3gp5`) together with `isom` or `mp42` plays wherever MP4 does.
    signature: {
      brands:
        'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 isoa isob isoc mp41 mp42 mp71 avc1 av01 dash cmfc cmf2 cmff msdh MSNV M4V M4VH M4VP M4A f4v F4V XAVC mmp4',
    },
    decoder: 'mp4',
    isShownByBrowsers: true,
    canBeTransparent: false,
    renditionFormat: null,
  },
} as const satisfies Record<string, FileType>;

export type SupportedMime = keyof typeof FILE_TYPES;
export type DecoderName = FileType['decoder'];

export const SUPPORTED_TYPES = Object.keys(FILE_TYPES) as readonly SupportedMime[];

export function isSupported(mimeType: string): mimeType is SupportedMime {
  return Object.hasOwn(FILE_TYPES, mimeType);
}

export function fileType(mimeType: SupportedMime): FileType {
  return FILE_TYPES[mimeType];
}

export function isImage(mimeType: string): boolean {
  return mimeType.startsWith('image/');
}

export function isVideo(mimeType: string): boolean {
  return mimeType.startsWith('video/');
}

/** Resolves an alias if the extension confirms it. The content is verified later. */
export function normalizedType(mimeType: string, filename: string): string {
  const extension = /\.([^.]+)$/.exec(filename.trim())?.[1]?.toLowerCase() ?? '';
  const meant = SUPPORTED_TYPES.find((type) => {
    const { aliases, extensions } = fileType(type);
    return aliases?.includes(mimeType) && extensions.includes(extension);
  });
  return meant ?? mimeType;
}

/** Cameras also write MP4 videos with the extension of QuickTime. */
const EXTENSIONS = [...SUPPORTED_TYPES.flatMap((type) => fileType(type).extensions), 'mov'];
const MEDIA_EXTENSION = new RegExp(`(?<=[^.])\\.(?:${EXTENSIONS.join('|')})$`, 'i');

export function withoutMediaExtension(filename: string): string {
  return filename.replace(MEDIA_EXTENSION, '');
}
