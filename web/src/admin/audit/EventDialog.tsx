import type { Surface } from '../../api/values';
import { useSurfacesText } from '../../library/SurfaceChips';
import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import type { AuditEvent } from './audit-events';
import styles from './Audit.module.css';
import { SubjectName } from './EventSubject';
import { useAuditTexts } from './use-audit-texts';

/** What no reader can look up. */
const INTERNAL = ['batchId', 'sha256'];

interface EventDialogProps {
  event: AuditEvent | null;
  onClose: () => void;
  /** Shows everything that happened to the record, a kind and an id. */
  onShowAll: (about: string) => void;
}

/** One event with what it changed. */
export function EventDialog({ event, onClose, onShowAll }: EventDialogProps) {
  const texts = useAuditTexts();
  return (
    <Dialog
      title={event ? texts.action(event.action) : ''}
      size="large"
      isOpen={event !== null}
      onOpenChange={onClose}
    >
      {event && <EventDetails event={event} onShowAll={onShowAll} />}
    </Dialog>
  );
}

function EventDetails({ event, onShowAll }: Pick<EventDialogProps, 'onShowAll'> & { event: AuditEvent }) {
  const t = useTranslations('admin.audit');
  const format = useFormat();
  const texts = useAuditTexts();
  const surfacesText = useSurfacesText();
  // Changes of many assets at once record all that can be changed before, but after it only what was.
  const changed = fieldsOf(event.after);
  const fields = changed.length > 0 ? changed : fieldsOf(event.before);
  const valueOf = (values: AuditEvent['before'], field: string) => {
    const value: unknown = values?.[field];
    const text =
      field === 'allowedSurfaces' && Array.isArray(value) ? surfacesText(value as Surface[]) : textOf(value);
    return text ?? <span className={styles.none}>–</span>;
  };
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('when')}</dt>
        <dd>{format.dateTime(event.at)}</dd>
        <dt>{t('who')}</dt>
        <dd>{event.actor.name}</dd>
        <dt>{t('subject')}</dt>
        <dd>
          <SubjectName event={event} />
        </dd>
        <dt>{t('id')}</dt>
        <dd>
          <code>{event.subjectId}</code>
        </dd>
        {event.requestId && (
          <>
            <dt>{t('request')}</dt>
            <dd>
              <code>{event.requestId}</code>
            </dd>
          </>
        )}
      </dl>
      {fields.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              {event.before && <th scope="col">{t('before')}</th>}
              <th scope="col">{event.before ? t('after') : t('value')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{texts.field(field)}</th>
                {event.before && <td>{valueOf(event.before, field)}</td>}
                <td>{valueOf(event.after, field)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button onPress={() => onShowAll(`${event.subjectKind}/${event.subjectId}`)}>
        {t('showAllOfOne')}
      </Button>
    </>
  );
}

function fieldsOf(values: AuditEvent['before']): string[] {
  return Object.keys(values ?? {}).filter((field) => !INTERNAL.includes(field));
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
