import { Images, SearchX } from 'lucide-react';
import { useTranslations } from '../i18n';
import empty from '../i18n/en/empty.json';
import { addTexts } from '../i18n/messages';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { UploadButton } from '../upload/UploadButton';
import { isNarrowed, NO_FILTERS } from '../library/library-search';
import { assetsBelow } from '../library/folder-tree';
import { useLibrary } from '../library/use-library';

addTexts({ empty });

/** Explains what belongs here and what to do first. */
export default function LibraryEmpty({ hasFolders }: { hasFolders: boolean }) {
  const t = useTranslations('empty');
  const { listing, scope, setSearch, tree } = useLibrary();
  if (isNarrowed(listing))
    return (
      <EmptyState
        icon={<SearchX size={28} />}
        title={t('found.title')}
        action={<Button onPress={() => setSearch(NO_FILTERS)}>{t('found.clear')}</Button>}
      >
        {t('found.text')}
      </EmptyState>
    );
  // The line above counts the assets of the subfolders; until then, nothing is known about them.
  if (hasFolders && (!tree || assetsBelow(tree, listing.folder ?? null) > 0)) return null;
  const canWrite = scope.can('assets:write');
  if (listing.view === 'recent')
    return (
      <EmptyState
        icon={<Images size={28} />}
        title={t('recent.title')}
        action={canWrite ? <UploadButton folderId={null} /> : undefined}
      >
        {t(canWrite ? 'library.text' : 'readOnly')}
      </EmptyState>
    );
  const kind = listing.folder ? 'folder' : 'library';
  const action = canWrite ? <UploadButton folderId={listing.folder ?? null} /> : undefined;
  const title = hasFolders && listing.folder ? 'folder.noneYet' : (`${kind}.title` as const);
  return (
    <EmptyState icon={<Images size={28} />} title={t(title)} action={action}>
      {t(canWrite ? `${kind}.text` : 'readOnly')}
    </EmptyState>
  );
}
