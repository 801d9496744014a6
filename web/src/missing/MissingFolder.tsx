import { FolderX, Trash2 } from 'lucide-react';
import { useLibrary } from '../library/use-library';
import { useTranslations } from '../i18n';
import { ButtonLink } from '../ui/ButtonLink';
import { libraryPath, trashPath } from './library-path';
import type { Missing } from './missing-problem';
import { MissingPage } from './MissingPage';

export default function MissingFolder({ isInTrash }: Missing) {
  const t = useTranslations('missing');
  const { scope, first, tree } = useLibrary();
  // Known if the folder was shown when it disappeared. Its parents may have disappeared with it.
  const parent = first?.breadcrumbs.slice(0, -1).findLast(({ folderId }) => tree?.byId.has(folderId));
  const kind = isInTrash ? 'trashedFolder' : 'folder';
  return (
    <MissingPage
      icon={isInTrash ? <Trash2 /> : <FolderX />}
      title={t(`${kind}.title`)}
      action={
        <>
          <ButtonLink
            href={libraryPath(scope) + (parent ? `?folder=${parent.folderId}` : '')}
            variant={isInTrash ? 'secondary' : 'primary'}
          >
            {parent ? t('parent', { name: parent.name }) : t('library')}
          </ButtonLink>
          {isInTrash && (
            <ButtonLink href={trashPath(scope)} variant="primary">
              {t('trash')}
            </ButtonLink>
          )}
        </>
      }
    >
      {t(`${kind}.text`)}
    </MissingPage>
  );
}
