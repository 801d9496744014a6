import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslations } from '../i18n';
import { Skeleton } from './Skeleton';
import styles from './Table.module.css';
import { classNames } from './class-names';

export interface TableColumn<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  width?: number | string;
  /** On a phone, `lead` is the row's title, `actions` its menu at the corner, `buttons` stand below everything else. */
  kind?: 'lead' | 'actions' | 'buttons';
}

export interface TableProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  /** Undefined while they are being loaded. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  skeletonRows?: number;
}

function hasControls({ kind }: Pick<TableColumn<never>, 'kind'>): boolean {
  return kind === 'actions' || kind === 'buttons';
}

/** A table on wide screens, a list of cards below 720 px. Roles are explicit, because the layout of the cards would drop them. */
export function Table<Row>({ label, columns, rows, rowKey, skeletonRows = 5 }: TableProps<Row>) {
  const t = useTranslations('ui');
  const cellClass = (column: TableColumn<Row>) =>
    classNames(column.align === 'end' && styles.end, column.kind && styles[column.kind]);
  const body = useRef<HTMLTableSectionElement>(null);
  const keptFocus = useKeptFocus(body, rows);
  return (
    <div className={styles.frame}>
      <table className={styles.table} role="table" aria-label={label} aria-busy={rows === undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                className={classNames(column.align === 'end' && styles.end)}
                style={{ width: column.width }}
              >
                {hasControls(column) ? (
                  <span className="visually-hidden">{column.header}</span>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body} {...keptFocus}>
          {rows
            ? rows.map((row) => (
                <tr key={rowKey(row)} role="row" className={styles.row}>
                  {columns.map((column) => (
                    <td key={column.id} role="cell" className={cellClass(column)}>
                      {!column.kind && (
                        <span className={styles.cellLabel} aria-hidden>
                          {column.header}
                        </span>
                      )}
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: skeletonRows }, (_, index) => (
                <tr key={index} role="row" className={styles.row}>
                  {columns.map((column) => (
                    <td key={column.id} role="cell" className={cellClass(column)}>
                      {!hasControls(column) && <Skeleton width={column.kind === 'lead' ? '60%' : '40%'} />}
                      {column.kind === 'lead' && index === 0 && (
                        <span className="visually-hidden">{t('loading')}</span>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** When a row leaves together with the focus, the row that takes its place gets it. */
function useKeptFocus(body: RefObject<HTMLTableSectionElement | null>, rows: unknown) {
  const place = useRef<{ row: number; control: number } | null>(null);
  useEffect(() => {
    if (document.activeElement !== document.body || !body.current || !place.current) return;
    const { row, control } = place.current;
    const left = body.current.rows;
    const controls = controlsOf(left[Math.min(row, left.length - 1)]);
    const next = controls[control] ?? controls[0];
    if (next instanceof HTMLElement) next.focus();
  }, [body, rows]);
  return {
    onFocus({ target }: FocusEvent) {
      const row = target.closest('tr');
      place.current = row && { row: row.sectionRowIndex, control: controlsOf(row).indexOf(target) };
    },
    onBlur({ relatedTarget }: FocusEvent) {
      if (!relatedTarget) place.current = null;
    },
  };
}

function controlsOf(row: HTMLTableRowElement | undefined): Element[] {
  return [...(row?.querySelectorAll('a, button') ?? [])];
}
