import { useQuery } from '@tanstack/react-query';
import { useClientName } from '../scope/use-client-name';
import { usePageTitle } from '../ui/use-page-title';
import { assetQuery } from '../library/library-queries';
import { viewOf } from '../library/library-search';
import { useTranslations } from '../i18n';
import { useLibrary } from '../library/use-library';

/** Names the opened asset, or else what is searched for and the folder. */
export function useLibraryTitle(): void {
  const { scope, search, listing, tree, cache } = useLibrary();
  const t = useTranslations('folders');
  const opened = search.asset;
  const { data: asset } = useQuery({
    ...assetQuery(scope, opened ?? ''),
    enabled: opened !== undefined,
    initialData: () => (opened === undefined ? undefined : cache.find(opened)),
    initialDataUpdatedAt: 0,
  });
  const view = viewOf(listing);
  const folder = listing.folder && tree?.byId.get(listing.folder)?.name;
  const place = [search.q && `“${search.q}”`, view ? t(view) : folder];
  usePageTitle(...(opened && asset ? [asset.title] : place), useClientName());
}
