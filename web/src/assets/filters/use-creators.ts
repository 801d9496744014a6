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

/** The people and API keys that uploaded something, by name. The user is first, as "me". */
export function useCreators(): readonly CreatorChoice[] {
  const t = useTranslations('filters');
  const { scope } = useLibrary();
  const { userId } = useSession().user;
  const { data: creators = [] } = useQuery(creatorsQuery(scope));
  const others = creators.flatMap(({ kind, id, name }): CreatorChoice[] => {
    if (kind === 'agency') return [{ id: 'agency', name: t('agency') }];
    if (id === null || id === userId) return [];
    return [{ id, name: kind === 'api_key' ? t('keys', { name }) : name }];
  });
  return [{ id: 'me', name: t('me') }, ...others.sort((a, b) => compareNaturally(a.name, b.name))];
}

/** Within a sentence. */
export function useCreatorName(createdBy: string | undefined): string {
  const t = useTranslations('filters');
  const creators = useCreators();
  if (createdBy === 'me') return t('meInChip');
  return creators.find(({ id }) => id === createdBy)?.name ?? t('someone');
}
