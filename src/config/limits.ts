import type { EnvironmentReader } from './environment-reader.js';

/** For every password, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Limits for a single request, file or client. Every limit is configurable; the defaults are those of the API contract. */
export interface Limits {
  readonly fileBytes: number;
  readonly imageBytes: number;
  readonly imagePixels: number;
  readonly filenameLength: number;
  readonly titleLength: number;
  /** For descriptions and alt texts. */
  readonly textLength: number;
  readonly tagLength: number;
  readonly tags: number;
  /** Per client, including those in the trash. */
  readonly folders: number;
  readonly openSessions: number;
  /** Declared by all open sessions of a client together. */
  readonly openBytes: number;
  /** Zip archives that one process sends at the same time. */
  readonly archives: number;
  readonly archivesPerClient: number;
  /** Event streams that one process serves at the same time. */
  readonly eventStreams: number;
  /** Per user or API key. */
  readonly eventStreamsPerCaller: number;
  /** The total size of the temporary files of one process. */
  readonly tempBytes: number;
}

export function readLimits(read: EnvironmentReader): Limits {
  const positive = (name: string, fallback: number, max = Number.MAX_SAFE_INTEGER) =>
    read.integer(name, fallback, { min: 1, max });
  return {
    fileBytes: positive('LIMIT_FILE_BYTES', 4_900_000_000, 5_000_000_000),
    imageBytes: positive('LIMIT_IMAGE_BYTES', 200_000_000, 5_000_000_000),
    imagePixels: positive('LIMIT_IMAGE_PIXELS', 100_000_000),
    filenameLength: positive('LIMIT_FILENAME_LENGTH', 255, 1_000),
    titleLength: positive('LIMIT_TITLE_LENGTH', 200, 500),
    textLength: positive('LIMIT_TEXT_LENGTH', 2_000, 100_000),
    tagLength: positive('LIMIT_TAG_LENGTH', 64, 1_000),
    tags: positive('LIMIT_TAGS', 50, 1_000),
    folders: positive('LIMIT_FOLDERS', 20_000),
    openSessions: positive('LIMIT_OPEN_SESSIONS', 10_000),
    openBytes: positive('LIMIT_OPEN_BYTES', 10_000_000_000_000),
    archives: positive('LIMIT_ARCHIVES', 32, 10_000),
    archivesPerClient: positive('LIMIT_ARCHIVES_PER_CLIENT', 4, 10_000),
    eventStreams: positive('LIMIT_EVENT_STREAMS', 1_000, 100_000),
    eventStreamsPerCaller: positive('LIMIT_EVENT_STREAMS_PER_CALLER', 20, 100_000),
    tempBytes: positive('LIMIT_TEMP_BYTES', 2_000_000_000),
  };
}
