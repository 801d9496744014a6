import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from '../../i18n';
import { Chip } from '../../ui/Chip';
import { SearchField } from '../../ui/SearchField';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import styles from './ActivityFilters.module.css';
import { type ActivityKind, type ActivitySearch, MAX_WHO } from './activity-search';

const ANY = 'any';
const TYPING_MS = 300;

interface ActivityFiltersProps {
  kinds: readonly ActivityKind[];
  search: ActivitySearch;
  onChange: (search: ActivitySearch) => void;
}

/** What, who and when. */
export function ActivityFilters({ kinds, search, onChange }: ActivityFiltersProps) {
  const t = useTranslations('admin.audit');
  const change = (some: ActivitySearch) => onChange({ ...search, ...some });
  return (
    <>
      <Select
        label={t('kind')}
        isLabelHidden
        variant="quiet"
        value={search.kind ?? ANY}
        onChange={(kind) => change({ kind: kind === ANY ? undefined : kind })}
        options={[{ id: ANY, label: t('anyKind') }, ...kinds.map((id) => ({ id, label: t(`kinds.${id}`) }))]}
      />
      <WhoField who={search.who ?? ''} onChange={(who) => change({ who: who || undefined })} />
      <div className={styles.days}>
        <Day label={t('from')} day={search.from} onChange={(from) => change({ from })} />
        <Day label={t('to')} day={search.to} onChange={(to) => change({ to })} />
      </div>
      {search.about && (
        <Chip removeLabel={t('showEverything')} onRemove={() => change({ about: undefined })}>
          {t('aboutOne')}
        </Chip>
      )}
    </>
  );
}

/** Searches once the user stops typing. */
function WhoField({ who, onChange }: { who: string; onChange: (who: string) => void }) {
  const t = useTranslations('admin.audit');
  const [text, setText] = useState(who);
  const [shown, setShown] = useState(who);
  const search = useEffectEvent(onChange);
  if (shown !== who) {
    setShown(who);
    setText(who);
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === who) return;
    const timer = setTimeout(() => search(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, who]);
  return (
    <SearchField
      label={t('actor')}
      placeholder={t('anyActor')}
      value={text}
      onChange={setText}
      maxLength={MAX_WHO}
      className={styles.who}
    />
  );
}

interface DayProps {
  label: string;
  day: string | undefined;
  onChange: (day: string | undefined) => void;
}

function Day({ label, day, onChange }: DayProps) {
  return (
    <TextField
      label={label}
      type="date"
      value={day ?? ''}
      onChange={(value) => onChange(value || undefined)}
      className={styles.day}
      inputClassName={styles.input}
    />
  );
}
