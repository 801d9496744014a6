import type { EnvironmentReader } from './environment-reader.js';

/** What a single request, file or client may ask for. Every limit can be set; these are the contract's. */
export interface Limits {
  readonly fileBytes: number;
  readonly imagePixels: number;
  readonly filenameLength: number;
  readonly titleLength: number;
  /** Of descriptions and alternative texts. */
  readonly textLength: number;
  readonly tagLength: number;
  readonly tags: number;
  /** Of one client, those in the trash included. */
  readonly folders: number;
  readonly openSessions: number;
  /** Announced by all open sessions of a client together. */
  readonly openBytes: number;
}

export function readLimits(read: EnvironmentReader): Limits {
  const positive = (name: string, fallback: number, max = Number.MAX_SAFE_INTEGER) =>
    read.integer(name, fallback, { min: 1, max });
  return {
    fileBytes: positive('LIMIT_FILE_BYTES', 4_900_000_000, 5_000_000_000),
    imagePixels: positive('LIMIT_IMAGE_PIXELS', 100_000_000),
    filenameLength: positive('LIMIT_FILENAME_LENGTH', 255, 1_000),
    titleLength: positive('LIMIT_TITLE_LENGTH', 200, 500),
    textLength: positive('LIMIT_TEXT_LENGTH', 2_000, 100_000),
    tagLength: positive('LIMIT_TAG_LENGTH', 64, 1_000),
    tags: positive('LIMIT_TAGS', 50, 1_000),
    folders: positive('LIMIT_FOLDERS', 20_000),
    openSessions: positive('LIMIT_OPEN_SESSIONS', 10_000),
    openBytes: positive('LIMIT_OPEN_BYTES', 10_000_000_000_000),
  };
}
