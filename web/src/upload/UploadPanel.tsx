import { Suspense, useSyncExternalStore } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { useUploadsOfPage } from './UploadProvider';

const LoadedPanel = lazyWithTexts(() => import('./panel/Panel'));

/** The uploads in the corner of the page; hidden until the first one starts. */
export function UploadPanel() {
  const uploads = useUploadsOfPage();
  const engine = useSyncExternalStore(uploads.subscribe, uploads.getEngine);
  if (!engine) return null;
  return (
    <Suspense fallback={null}>
      <LoadedPanel engine={engine} linksToFolder={!uploads.isFlat} />
    </Suspense>
  );
}
