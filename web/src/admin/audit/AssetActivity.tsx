import { useInfiniteQuery } from '@tanstack/react-query';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { ProblemNote } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { TimeCell } from '../shared/Cell';
import { LoadMore } from '../shared/LoadMore';
import { assetActivityQuery } from './audit-query';
import { SubjectNote } from './EventSubject';
import styles from './AssetActivity.module.css';
import { useAuditTexts } from './use-audit-texts';

/** Who did what to one asset, newest first. */
export default function AssetActivity({ assetId }: { assetId: string }) {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const pages = useInfiniteQuery(assetActivityQuery(useScope(), assetId));
  if (pages.error) return <ProblemNote error={pages.error} />;
  if (!pages.data) return <Skeleton height={64} />;
  const events = pages.data.pages.flatMap((page) => page.events);
  if (events.length === 0) return <p className={styles.minor}>{t('noneOfAsset')}</p>;
  return (
    <>
      <ul className={styles.list} aria-label={t('title')}>
        {events.map((event) => (
          <li key={event.eventId}>
            <span>{texts.action(event.action)}</span>
            {event.subject.targetName !== null && (
              <span> {t('toTarget', { name: event.subject.targetName })}</span>
            )}
            <SubjectNote event={event} />
            <p className={styles.minor}>
              {event.actor.name} · <TimeCell at={event.at} />
            </p>
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} />
    </>
  );
}
