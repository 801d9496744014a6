import type { UploadSession } from '../database/entities/upload-session.entity.js';

/** A session with the URLs with which a browser uploads its bytes. */
export interface OpenedUpload {
  readonly session: UploadSession;
  readonly uploadUrl: string;
  readonly partUrls: { partNumber: number; uploadUrl: string }[] | null;
}
