import { useState } from 'react';
import { numberOf } from '../../browser/search-params';
import { useTranslations } from '../../i18n';
import { MAX_SIDE } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { useDraft } from './use-draft';
import styles from './FilterMenu.module.css';

const ANY = 'any';
const OWN = 'own';
const WIDTHS = [1080, 1920, 3840];

/** A usual width, or any width and height. */
export function MinSizeFilter() {
  const t = useTranslations('filters');
  const { search, setSearch } = useLibrary();
  const { minWidth, minHeight } = search;
  const [isChoosing, setChoosing] = useState(false);
  const isSet = minWidth !== undefined || minHeight !== undefined;
  const isUsual = minHeight === undefined && minWidth !== undefined && WIDTHS.includes(minWidth);
  const isOwn = isChoosing || (isSet && !isUsual);
  const set = (change: Pick<typeof search, 'minWidth' | 'minHeight'>) => setSearch(change, { replace: true });
  return (
    <div className={styles.range}>
      <Select
        label={t('minSize')}
        value={isOwn ? OWN : isSet ? String(minWidth) : ANY}
        options={[
          { id: ANY, label: t('any') },
          ...WIDTHS.map((width) => ({ id: String(width), label: t('wide', { pixels: String(width) }) })),
          { id: OWN, label: t('ownSize') },
        ]}
        onChange={(id) => {
          setChoosing(id === OWN);
          if (id !== OWN) set({ minWidth: numberOf(id), minHeight: undefined });
        }}
      />
      {isOwn && (
        <div className={styles.pair} role="group" aria-label={t('minSize')}>
          <SideField label={t('width')} side={minWidth} onChange={(side) => set({ minWidth: side })} />
          <SideField label={t('height')} side={minHeight} onChange={(side) => set({ minHeight: side })} />
        </div>
      )}
    </div>
  );
}

interface SideFieldProps {
  readonly label: string;
  readonly side: number | undefined;
  onChange: (side: number | undefined) => void;
}

/** Takes effect when it is left or with Enter, because each digit would be another search. */
function SideField({ label, side, onChange }: SideFieldProps) {
  const [text, setText] = useDraft(side === undefined ? '' : String(side));
  const finish = () => {
    const typed = numberOf(text);
    const next = typed === undefined || typed === 0 ? undefined : Math.min(typed, MAX_SIDE);
    setText(next === undefined ? '' : String(next));
    if (next !== side) onChange(next);
  };
  return (
    <TextField
      label={label}
      inputMode="numeric"
      maxLength={6}
      value={text}
      onChange={(value) => setText(value.replace(/\D/g, ''))}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  );
}
