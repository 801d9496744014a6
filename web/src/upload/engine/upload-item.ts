import type { UploadFailure } from './failure';
import type { FinalizedAsset, IncomingFile, UploadState, UploadTarget } from './types';

/** One file to upload. Only the engine changes it. */
export class UploadItem {
  state: UploadState = 'waiting';
  sentBytes = 0;
  failure: UploadFailure | null = null;
  asset: FinalizedAsset | null = null;
  /** Aborts the current run. */
  abort: AbortController | null = null;
  running: Promise<void> | null = null;
  /** Cached, because a browser may look it up on disk each time. */
  readonly size: number;
  private view: UploadRow | null = null;

  constructor(
    readonly id: string,
    readonly incoming: IncomingFile,
    readonly target: UploadTarget,
  ) {
    this.size = incoming.file.size;
  }

  /** The same object as long as nothing has changed, so that only changed rows are rendered. */
  get row(): UploadRow {
    const { id, state, sentBytes, failure, asset, view } = this;
    if (view && view.state === state && view.sentBytes === sentBytes && view.failure === failure) return view;
    const { file, folders } = this.incoming;
    const basePath = this.target.basePath;
    return (this.view = {
      id,
      name: file.name,
      folders,
      size: this.size,
      state,
      sentBytes,
      failure,
      asset,
      basePath,
    });
  }
}

export interface UploadRow {
  readonly id: string;
  readonly name: string;
  readonly folders: readonly string[];
  readonly size: number;
  readonly state: UploadState;
  readonly sentBytes: number;
  readonly failure: UploadFailure | null;
  readonly asset: FinalizedAsset | null;
  readonly basePath: string;
}
