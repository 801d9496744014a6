import type { DropItem } from '@react-types/shared';
import { useCallback } from 'react';
import { useUploads } from '../upload/UploadProvider';
import { dragState } from './drag-state';
import { useFolderCommands } from './folder-commands';

/** Handles a drop onto a folder: moves items that were dragged within the page, and uploads files from outside. */
export function useTakeDrop(): (items: Iterable<DropItem>, folderId: string | null) => void {
  const folders = useFolderCommands();
  const uploads = useUploads();
  return useCallback(
    (items, folderId) => {
      const drag = dragState.get();
      if (drag?.kind === 'assets') drag.moveTo(folderId);
      else if (drag?.kind === 'folder') void folders.move(drag.folderId, folderId);
      else void uploads.addFiles(items, { folderId });
    },
    [folders, uploads],
  );
}
