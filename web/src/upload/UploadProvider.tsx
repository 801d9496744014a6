import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { tabStorage } from '../browser/browser-storage';
import { useScope } from '../scope/scope';
import { useTranslations } from '../i18n';
import { useSession } from '../api/use-session';
import { showToast } from '../ui/toasts';
import { useProblemToast } from '../ui/use-problem-toast';
import { Copies } from './engine/copies';
import type { FinalizedAsset } from './engine/types';
import type { UploadSource } from './incoming';
import { pickFiles, type PickOptions } from './pick-files';
import { Uploads } from './uploads';

const UploadContext = createContext<Uploads | null>(null);

export interface UploadProviderProps {
  /** For a page that only needs the new assets: it gets each of them, and uploads create no folders. */
  onUploaded?: (asset: FinalizedAsset) => void;
  children: ReactNode;
}

/** Keeps uploads running while the user moves between pages; one for the whole shell. */
export function UploadProvider({ onUploaded, children }: UploadProviderProps) {
  const client = useQueryClient();
  const { userId } = useSession().user;
  const isFlat = onUploaded !== undefined;
  const uploaded = useRef(onUploaded);
  useEffect(() => {
    uploaded.current = onUploaded;
  });
  const [uploads] = useState(
    () =>
      new Uploads(async () => {
        const { startEngine } = await import('./start-engine');
        return startEngine(client, userId, isFlat ? (asset) => uploaded.current?.(asset) : undefined);
      }, isFlat),
  );
  useEffect(() => {
    if (!isFlat && Copies.anyIn(tabStorage(), userId)) void uploads.resume();
    return () => uploads.dispose();
  }, [uploads, userId, isFlat]);
  useAskBeforeLeaving(uploads);
  return <UploadContext value={uploads}>{children}</UploadContext>;
}

export function useUploadsOfPage(): Uploads {
  const uploads = use(UploadContext);
  if (!uploads) throw new Error('useUploads() needs an <UploadProvider> above it');
  return uploads;
}

function useAskBeforeLeaving(uploads: Uploads): void {
  const isUploading = useSyncExternalStore(uploads.subscribe, () => uploads.getSnapshot().unfinished > 0);
  useEffect(() => {
    if (!isUploading) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUploading]);
}

export interface UploadPlace {
  /** Null: the top level. */
  readonly folderId: string | null;
}

export interface UploadActions {
  /**
   * Takes files, the data of a drop or paste, or React Aria's drop items; folders keep their structure. Must be called
   * in the event handler.
   */
  addFiles: (source: UploadSource, place: UploadPlace) => void;
  /** Opens the system's dialog first. */
  pick: (options: UploadPlace & PickOptions) => void;
  /** A handler for drops on a folder. */
  dropFilesOn: (folderId: string | null) => (source: UploadSource) => void;
}

/** Uploads to the library that the page shows. */
export function useUploads(): UploadActions {
  const { basePath } = useScope();
  const uploads = useUploadsOfPage();
  const t = useTranslations('upload');
  const problemToast = useProblemToast();

  const addFiles = useCallback<UploadActions['addFiles']>(
    (source, { folderId }) => {
      const adding = uploads.add(source, { basePath, folderId });
      adding.then(
        ({ files, folders }) => {
          if (files + folders === 0)
            showToast({ title: t('nothingToUpload'), description: t('nothingToUploadHint') });
        },
        (error: unknown) => problemToast(error, t('couldNotRead')),
      );
    },
    [uploads, basePath, t, problemToast],
  );
  return useMemo(
    () => ({
      addFiles,
      pick({ folderId, ...options }) {
        void pickFiles(options).then((files) => {
          if (files.length > 0) addFiles(files, { folderId });
        });
      },
      dropFilesOn: (folderId) => (source) => addFiles(source, { folderId }),
    }),
    [addFiles],
  );
}
