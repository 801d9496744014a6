import createLibheif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { setFlagsFromString } from 'node:v8';
import { MediaError } from '../media.types.js';
import { profileOf } from './icc.js';
import { requirePixels } from './pixels.js';
import { placeholderOf } from './placeholder.js';
import { tiffOf } from './tiff.js';
import { type Plane, shrinkYcc } from './ycc.js';

// Optimizing a function earlier takes longer than it saves, even on a photo of 12 megapixels.
setFlagsFromString('--wasm-tiering-budget=200000000');

/** The C interface of libheif: its JavaScript wrapper reads the chroma planes with the height of the luma plane. */
const lib = createLibheif({ print: () => undefined, printErr: () => undefined });

const YCBCR = 0;
const CHROMA_420 = 1;
const CHANNELS = [0, 1, 2] as const;
const RGB = 1;
const INTERLEAVED_RGB = 10;
const INTERLEAVED_RGBA = 11;
const INTERLEAVED = 10;
const MIN_ICC_BYTES = 128;
const MAX_ICC_BYTES = 4 * 1024 * 1024;
/** Offsets within C structures on wasm32: `heif_security_limits.max_image_size_pixels`, `heif_decoding_options.convert_hdr_to_8bit` and `strict_decoding`. */
const LIMIT_PIXELS = 8;
const TO_8_BITS = 20;
const STRICT_DECODING = 21;

export function decodeHeic(
  file: Buffer,
  maxPixels: number,
): { width: number; height: number; placeholder: string } {
  return withPicture(file, maxPixels, ({ handle, decode, out }) => {
    // YCbCr takes a third of the memory of RGBA.
    const image = decode(YCBCR, CHROMA_420);
    const small = shrinkYcc(CHANNELS.map((channel) => planeOf(image, channel, out)));
    return { ...sizeOf(handle), placeholder: placeholderOf(small.width, small.height, small.rgba) };
  });
}

/** The picture upright, in 8 bits, as an uncompressed TIFF with the file's colours. */
export function heicToTiff(file: Buffer, maxPixels: number): { width: number; height: number; tiff: Buffer } {
  return withPicture(file, maxPixels, ({ handle, decode, out, slot }) => {
    const channels = lib._heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
    const image = decode(RGB, channels === 4 ? INTERLEAVED_RGBA : INTERLEAVED_RGB);
    // Before the pixels are accessed: any allocation may move their memory.
    const icc = iccOf(handle, slot) ?? profileOfNclx(handle, slot, out);
    const plane = planeOf(image, INTERLEAVED, out);
    if (!plane) throw damaged();
    const { width, height, stride, data } = plane;
    const row = width * channels;
    const tiff = tiffOf({ width, height, channels }, icc, (pixels) => {
      for (let y = 0; y < height; y += 1) pixels.set(data.subarray(y * stride, y * stride + row), y * row);
    });
    return { width, height, tiff };
  });
}

interface Opened {
  handle: number;
  /** Scratch memory for a returned pointer and a returned error. */
  out: number;
  slot: number;
  decode: (colourspace: number, chroma: number) => number;
}

function withPicture<T>(file: Buffer, maxPixels: number, use: (opened: Opened) => T): T {
  const release: (() => void)[] = [];
  try {
    const slot = lib._malloc(16);
    const bytes = lib._malloc(file.length);
    const context = lib._heif_context_alloc();
    release.push(
      () => lib._free(slot),
      () => lib._free(bytes),
      () => lib._heif_context_free(context),
    );
    if (!slot || !bytes || !context) throw damaged();
    lib.HEAPU8.set(file, bytes);
    // Also applies to a picture whose own header declares a larger size than the container.
    view().setBigUint64(
      lib._heif_context_get_security_limits(context) + LIMIT_PIXELS,
      BigInt(maxPixels),
      true,
    );
    check(slot, (error) =>
      lib._heif_context_read_from_memory_without_copy(error, context, bytes, file.length, 0),
    );

    const out = lib._malloc(4);
    release.push(() => lib._free(out));
    check(slot, (error) => lib._heif_context_get_primary_image_handle(error, context, out));
    const handle = view().getUint32(out, true);
    release.push(() => lib._heif_image_handle_release(handle));
    const { width, height } = sizeOf(handle);
    requirePixels(width, height, maxPixels);

    const options = lib._heif_decoding_options_alloc();
    release.push(() => lib._heif_decoding_options_free(options));
    lib.HEAPU8[options + STRICT_DECODING] = 1;
    const decode = (colourspace: number, chroma: number): number => {
      // Planes keep their depth; interleaved pixels use bytes.
      lib.HEAPU8[options + TO_8_BITS] = colourspace === RGB ? 1 : 0;
      check(slot, (error) => lib._heif_decode_image(error, handle, out, colourspace, chroma, options));
      const image = view().getUint32(out, true);
      release.push(() => lib._heif_image_release(image));
      return image;
    };
    return use({ handle, out, slot, decode });
  } finally {
    for (const free of release.reverse()) free();
  }
}

function sizeOf(handle: number): { width: number; height: number } {
  return {
    width: lib._heif_image_handle_get_width(handle),
    height: lib._heif_image_handle_get_height(handle),
  };
}

/** The profile in the file: usually Display P3 from a phone. */
function iccOf(handle: number, slot: number): Buffer | null {
  const size = lib._heif_image_handle_get_raw_color_profile_size(handle);
  if (size < MIN_ICC_BYTES || size > MAX_ICC_BYTES) return null;
  const bytes = lib._malloc(size);
  try {
    check(slot, (error) => lib._heif_image_handle_get_raw_color_profile(error, handle, bytes));
    return Buffer.from(lib.HEAPU8.subarray(bytes, bytes + size));
  } finally {
    lib._free(bytes);
  }
}

/** Colours identified by numbers; libheif has already applied the matrix. */
function profileOfNclx(handle: number, slot: number, out: number): Buffer | null {
  lib._heif_image_handle_get_nclx_color_profile(slot, handle, out);
  if (view().getInt32(slot, true) !== 0) return null;
  const nclx = view().getUint32(out, true);
  const [primaries, transfer] = [view().getInt32(nclx + 4, true), view().getInt32(nclx + 8, true)];
  lib._heif_nclx_color_profile_free(nclx);
  return profileOf(primaries, transfer);
}

function planeOf(image: number, channel: number, out: number): Plane | null {
  if (!lib._heif_image_has_channel(image, channel)) return null;
  const start = lib._heif_image_get_plane_readonly2(image, channel, out);
  const stride = view().getUint32(out, true);
  const width = lib._heif_image_get_width(image, channel);
  const height = lib._heif_image_get_height(image, channel);
  const bits = lib._heif_image_get_bits_per_pixel_range(image, channel);
  return { width, height, bits, stride, data: lib.HEAPU8.subarray(start, start + stride * height) };
}

/** Structures are returned through a pointer: code, subcode, message. */
function check(slot: number, call: (error: number) => void): void {
  call(slot);
  if (view().getInt32(slot, true) !== 0) throw damaged();
}

/** Created each time, because growing memory replaces the buffer. */
function view(): DataView {
  return new DataView(lib.HEAPU8.buffer);
}

function damaged(): MediaError {
  return new MediaError(
    'media_invalid',
    'The image is damaged or truncated: its data cannot be decoded completely.',
  );
}
