import { useState } from 'react';
import { useTranslations } from '../../i18n';
import {
  type DayRange,
  type Days,
  daysBetween,
  isDay,
  isNamed,
  NAMED_DAYS,
  rangeOf,
} from '../../library/days';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { useDraft } from './use-draft';
import styles from './FilterMenu.module.css';

const ANY = 'any';
const OWN = 'own';

export interface DaysFilterProps {
  readonly label: string;
  readonly days: Days | undefined;
  onChange: (days: Days | undefined) => void;
}

/** The last few days, or a range of them. */
export function DaysFilter({ label, days, onChange }: DaysFilterProps) {
  const t = useTranslations('filters');
  const [isChoosing, setChoosing] = useState(false);
  const isOwn = days === undefined ? isChoosing : !isNamed(days);
  const choose = (id: string) => {
    setChoosing(id === OWN);
    // The days of the name are where to start from.
    if (id === OWN) onChange(days && daysBetween(rangeOf(days)));
    else onChange(NAMED_DAYS.find((each) => each === id));
  };
  return (
    <div className={styles.range}>
      <Select
        label={label}
        value={isOwn ? OWN : (days ?? ANY)}
        options={[
          { id: ANY, label: t('any') },
          ...NAMED_DAYS.map((id) => ({ id, label: t(`days.${id}`) })),
          { id: OWN, label: t('ownDays') },
        ]}
        onChange={choose}
      />
      {isOwn && <Range label={label} range={days ? rangeOf(days) : {}} onChange={onChange} />}
    </div>
  );
}

interface RangeProps {
  readonly label: string;
  readonly range: DayRange;
  onChange: (days: Days | undefined) => void;
}

function Range({ label, range, onChange }: RangeProps) {
  const t = useTranslations('filters');
  // The first of them is the only day until the other is chosen.
  const rangeWith = (end: 'from' | 'to', day: string | undefined): DayRange => ({
    ...startingWith(range, day),
    [end]: day,
  });
  return (
    <div className={styles.pair} role="group" aria-label={label}>
      {(['from', 'to'] as const).map((end) => (
        <DayField
          key={end}
          label={t(end)}
          day={range[end]}
          isInOrder={(day) => isInOrder(rangeWith(end, day))}
          onChange={(day) => onChange(daysBetween(rangeWith(end, day)))}
        />
      ))}
    </div>
  );
}

function startingWith(range: DayRange, day: string | undefined): DayRange {
  return range.from || range.to || !day ? range : { from: day, to: day };
}

function isInOrder({ from, to }: DayRange): boolean {
  return !from || !to || from <= to;
}

interface DayFieldProps {
  readonly label: string;
  readonly day: string | undefined;
  isInOrder: (day: string) => boolean;
  onChange: (day: string | undefined) => void;
}

/**
 * Keeps a date that is still being typed to itself: on the way to the 17th, browsers report the 1st. Ends in the wrong order are
 * exchanged when the field is left.
 */
function DayField({ label, day = '', isInOrder, onChange }: DayFieldProps) {
  const [text, setText] = useDraft(day);
  return (
    <TextField
      label={label}
      type="date"
      value={text}
      onChange={(value) => {
        setText(value);
        if (value !== day && (value === '' || (isDay(value) && isInOrder(value))))
          onChange(value || undefined);
      }}
      onBlur={() => {
        if (text !== day && isDay(text)) onChange(text);
      }}
    />
  );
}
