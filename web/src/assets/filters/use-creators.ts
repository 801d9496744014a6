import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/use-session';
import { useTranslations } from '../../i18n';
import { compareNaturally } from '../../i18n/natural-order';
import { creatorsQuery } from '../../library/library-queries';
import { useLibrary } from '../../library/use-library';

export interface CreatorChoice {
  /** As in the address. */
  readonly id: string;
  readonly name: string;
}

const ME = 'me';

/** The people and API keys that uploaded something, by name, after the user. */
export function useCreators(isEnabled = true): readonly CreatorChoice[] {
  const t = useTranslations('filters');
  const { scope } = useLibrary();
  const { userId } = useSession().user;
  const { data: creators = [] } = useQuery({ ...creatorsQuery(scope), enabled: isEnabled });
  const others = creators.flatMap(({ kind, id, name }): CreatorChoice[] => {
    if (kind === 'agency') return [{ id: 'agency', name: t('agency') }];
    if (id === null || id === userId) return [];
    return [{ id, name: kind === 'api_key' ? t('keys', { name }) : name }];
  });
  return [{ id: ME, name: t('me') }, ...others.sort((a, b) => compareNaturally(a.name, b.name))];
}

/** The filter in the address as one of the choices; undefined if it is none of them. */
export function useChosenCreator(creators: readonly CreatorChoice[]): CreatorChoice | undefined {
  const { createdBy } = useLibrary().search;
  const { userId } = useSession().user;
  const id = createdBy === userId ? ME : createdBy;
  return creators.find((each) => each.id === id);
}

/** The name of the filter's creator within a sentence. */
export function useCreatorName(): string {
  const t = useTranslations('filters');
  const { createdBy } = useLibrary().search;
  const chosen = useChosenCreator(useCreators(createdBy !== undefined && createdBy !== ME));
  return chosen?.id === ME ? t('meInChip') : (chosen?.name ?? t('unknownInChip'));
}
