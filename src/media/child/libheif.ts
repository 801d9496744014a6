import createLibheif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { MediaError } from '../media.types.js';
import { assertPixels } from './pixels.js';
import { placeholderOf } from './placeholder.js';
import { type Plane, shrinkYcc } from './ycc.js';

/** The C interface of libheif: its JavaScript wrapper reads the chroma planes with the height of the luma plane. */
const lib = createLibheif({ print: () => undefined, printErr: () => undefined });

const YCBCR = 0;
const CHROMA_420 = 1;
const CHANNELS = [0, 1, 2] as const;
/** Offsets within C structures on wasm32: `heif_security_limits.max_image_size_pixels`, `heif_decoding_options.strict_decoding`. */
const LIMIT_PIXELS = 8;
const STRICT_DECODING = 21;

export function decodeHeic(
  file: Buffer,
  maxPixels: number,
): { width: number; height: number; placeholder: string } {
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
    // Also holds for a picture whose own header says more than the container around it.
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
    const width = lib._heif_image_handle_get_width(handle);
    const height = lib._heif_image_handle_get_height(handle);
    assertPixels(width, height, maxPixels);

    const options = lib._heif_decoding_options_alloc();
    release.push(() => lib._heif_decoding_options_free(options));
    lib.HEAPU8[options + STRICT_DECODING] = 1;
    // Staying in YCbCr takes a third of the memory that RGBA would.
    check(slot, (error) => lib._heif_decode_image(error, handle, out, YCBCR, CHROMA_420, options));
    const image = view().getUint32(out, true);
    release.push(() => lib._heif_image_release(image));
    const small = shrinkYcc(CHANNELS.map((channel) => planeOf(image, channel, out)));
    return { width, height, placeholder: placeholderOf(small.width, small.height, small.rgba) };
  } finally {
    for (const free of release.reverse()) free();
  }
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

/** Made anew each time, because growing memory replaces the buffer. */
function view(): DataView {
  return new DataView(lib.HEAPU8.buffer);
}

function damaged(): MediaError {
  return new MediaError(
    'media_invalid',
    'The image is damaged or cut off: its data cannot be decoded to the end.',
  );
}
