import { stringifySearch } from '../../browser/search-params';
import { useTranslations } from '../../i18n';
import { type Day, dayOf, addDays } from '../../library/days';
import { useAssetFormats } from '../../library/formats';
import { ALL_ASSETS } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import styles from './DayHeading.module.css';

export interface DayHeadingProps {
  /** Undefined while it is loading. */
  readonly day: Day | undefined;
  readonly count: number;
  readonly row: number;
  readonly top: number;
  readonly height: number;
}

/** Above the assets that were uploaded on one day. Leads to all of that day, also those beyond the latest. */
export function DayHeading({ day, count, row, top, height }: DayHeadingProps) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const nameOf = useDayName();
  const { setSearch } = useLibrary();
  if (day === undefined) return null;
  const ofDay = { ...ALL_ASSETS, uploaded: `${day}..${day}` } as const;
  return (
    <div role="row" aria-rowindex={row} className={styles.heading} style={{ top, height }}>
      <div role="gridcell">
        <h2>
          <a
            href={stringifySearch(ofDay)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              setSearch(ofDay);
            }}
          >
            {nameOf(day)}
          </a>
        </h2>
        <span>{t('count.all', { count, number: formats.number(count) })}</span>
      </div>
    </div>
  );
}

function useDayName(): (day: Day) => string {
  const t = useTranslations('assets.days');
  const formats = useAssetFormats();
  const today = dayOf(new Date());
  return (day) =>
    day === today ? t('today') : day === addDays(today, -1) ? t('yesterday') : formats.day(day);
}
