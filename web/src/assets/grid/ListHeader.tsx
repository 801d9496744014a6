import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AssetSort } from '../../api/values';
import { useTranslations } from '../../i18n';
import { coversBelow } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import { useSort } from '../use-sort';
import styles from './AssetRow.module.css';

/** What each column sorts by: at the first press, then at the next. */
const SORTS = {
  title: ['title', 'titleDescending'],
  size: ['size', 'smallest'],
  added: ['newest', 'oldest'],
} as const satisfies Record<string, readonly [AssetSort, AssetSort]>;
const DESCENDING: readonly AssetSort[] = ['newest', 'titleDescending', 'size'];

/** The names of the list view's columns, some of which sort the list. */
export default function ListHeader() {
  const t = useTranslations('dialogs.listColumns');
  const namesFolders = coversBelow(useLibrary().listing);
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={`${styles.row} ${styles.header}`}
      data-folders={namesFolders ? '' : undefined}
    >
      <div role="columnheader" className={styles.thumb}>
        <span className="visually-hidden">{t('preview')}</span>
      </div>
      <SortableHeader column="title" />
      {namesFolders && (
        <div role="columnheader" className={styles.place}>
          {t('folder')}
        </div>
      )}
      <div role="columnheader" data-wide="">
        {t('type')}
      </div>
      <div role="columnheader" data-wide="">
        {t('dimensions')}
      </div>
      <SortableHeader column="size" className={styles.number} />
      <SortableHeader column="added" data-wide="" />
    </div>
  );
}

interface SortableHeaderProps {
  readonly column: keyof typeof SORTS;
  readonly className?: string;
  readonly 'data-wide'?: '';
}

function SortableHeader({ column, ...props }: SortableHeaderProps) {
  const t = useTranslations('dialogs.listColumns');
  const { listing } = useLibrary();
  const [sort, setSort] = useSort();
  const [first, second] = SORTS[column];
  // The latest uploads are in the order of their days.
  if (listing.view === 'recent')
    return (
      <div role="columnheader" {...props}>
        {t(column)}
      </div>
    );
  const isSorted = sort === first || sort === second;
  const direction = DESCENDING.includes(sort) ? 'descending' : 'ascending';
  return (
    <div role="columnheader" aria-sort={isSorted ? direction : 'none'} {...props}>
      <button type="button" className={styles.sort} onClick={() => setSort(sort === first ? second : first)}>
        {t(column)}
        {isSorted && ARROWS[direction]}
      </button>
    </div>
  );
}

const ARROWS: Record<'ascending' | 'descending', ReactNode> = {
  ascending: <ArrowUp size={12} aria-hidden />,
  descending: <ArrowDown size={12} aria-hidden />,
};
