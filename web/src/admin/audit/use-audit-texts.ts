import { useTranslations } from '../../i18n';
import type { Messages } from '../../i18n/messages';

type Action = keyof Messages['admin']['audit']['actions'];
type Kind = keyof Messages['admin']['audit']['kinds'];

/** Readable names of actions. An action without a text keeps its API name. */
export function useAuditTexts() {
  const t = useTranslations('admin.audit');
  return {
    action(action: string): string {
      const key = action.replace('.', '_') as Action;
      return t.has(`actions.${key}`) ? t(`actions.${key}`) : action;
    },
    kind(kind: string): string {
      return t.has(`kinds.${kind as Kind}`) ? t(`kinds.${kind as Kind}`) : kind;
    },
  };
}
