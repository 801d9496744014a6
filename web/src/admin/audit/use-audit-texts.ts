import { useTranslations } from '../../i18n';
import type { Messages } from '../../i18n/messages';
import { useFormat } from '../../i18n/use-format';
import type { AuditEvent } from './audit-events';
import type { EventGroup } from './event-groups';

type Texts = Messages['admin']['audit'];

const SHOWN_NAMES = 3;
const FIRST_NAMES = 2;

/** Readable names of actions. An action without a text keeps its API name. */
export function useAuditTexts() {
  const t = useTranslations('admin.audit');
  const format = useFormat();
  const manyKey = (action: string) => `many.${keyOf(action) as keyof Texts['many']}` as const;
  const action = (name: string): string => {
    const key = `actions.${keyOf(name) as keyof Texts['actions']}` as const;
    return t.has(key) ? t(key) : name;
  };
  return {
    action,
    /** Whether there is a text for several of them. */
    canCount: (name: string): boolean => t.has(manyKey(name)),
    /** What happened to all subjects of the group: "Uploaded 157 assets". */
    group({ events: [event], subjects, isOpen }: EventGroup): string {
      if (subjects === 1) return action(event!.action);
      const count = format.number(subjects);
      return t(manyKey(event!.action), { count: isOpen ? t('atLeast', { count }) : count });
    },
    /** The first names: "Rye, Sourdough and 155 more". Isolated, so that one written from right to left does not turn the others round. */
    names(events: readonly AuditEvent[], isOpen: boolean): string {
      const names = events.map(({ subject }) => `\u2068${subject.name ?? t('unnamed')}\u2069`);
      if (names.length <= SHOWN_NAMES && !isOpen) return format.list(names);
      const count = format.number(names.length - FIRST_NAMES);
      const others = t('others', { count: isOpen ? t('atLeast', { count }) : count });
      return format.list([...names.slice(0, FIRST_NAMES), others]);
    },
    field,
    fields: (names: readonly string[]): string => format.list(names.map(field)),
  };

  function field(name: string): string {
    const key = `fields.${name as keyof Texts['fields']}` as const;
    return t.has(key) ? t(key) : name;
  }
}

const keyOf = (action: string) => action.replace('.', '_');
