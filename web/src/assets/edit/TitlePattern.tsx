import { useRef } from 'react';
import { useTranslations } from '../../i18n';
import type { Asset } from '../../library/asset-types';
import { ToggleChip } from '../../ui/Chip';
import { ProblemNote } from '../../ui/ErrorState';
import { TextField } from '../../ui/TextField';
import { MAX_TITLE } from '../grid/card-parts';
import { type Draft, isPatternFault, numberPlaceholder, startOf, startTyped } from './edit-draft';
import { useTitlePreview } from './use-title-preview';
import styles from './EditDialog.module.css';

export interface TitlePatternProps {
  readonly assets: readonly Asset[];
  readonly draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

/** A title with placeholders, and what it makes of the first assets and the last one. */
export function TitlePattern({ assets, draft, onChange }: TitlePatternProps) {
  const t = useTranslations('details.editMany');
  const input = useRef<HTMLInputElement>(null);
  const { titlePattern: pattern = '', startAt } = draft;
  const preview = useTitlePreview(assets, pattern, startOf(draft));
  const isWrong = isPatternFault(preview.error);
  const isNumbered = /\{n[:}]/.test(pattern);
  const placeholders = [
    ['number', numberPlaceholder(startOf(draft) + assets.length - 1)],
    ['title', '{title}'],
    ['filename', '{filename}'],
    ['date', '{date}'],
  ] as const;
  const insert = (placeholder: string) => {
    const { selectionStart: start, selectionEnd: end } = input.current ?? {};
    const from = start ?? pattern.length;
    onChange({ titlePattern: pattern.slice(0, from) + placeholder + pattern.slice(end ?? from) });
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(from + placeholder.length, from + placeholder.length);
    });
  };
  return (
    <>
      <TextField
        label={t('newTitle')}
        isLabelHidden
        inputRef={input}
        maxLength={MAX_TITLE}
        value={pattern}
        onChange={(titlePattern) => onChange({ titlePattern })}
        validationBehavior="aria"
        validate={() => (isWrong ? t('wrongPattern') : null)}
      />
      <div className={styles.chips} role="group" aria-label={t('insert')}>
        {placeholders.map(([name, placeholder]) => (
          <ToggleChip key={name} isSelected={false} onChange={() => insert(placeholder)}>
            {t(`placeholders.${name}`)}
          </ToggleChip>
        ))}
        {isNumbered && (
          <TextField
            className={styles.start}
            label={t('startAt')}
            inputMode="numeric"
            value={startAt}
            onChange={(text) => onChange({ startAt: startTyped(text, assets.length) })}
          />
        )}
      </div>
      {preview.isError && !isWrong && <ProblemNote error={preview.error} />}
      {preview.data && !preview.isError && (
        <ol
          className={styles.preview}
          aria-label={t('preview')}
          data-stale={preview.isPlaceholderData || undefined}
        >
          {preview.data.map(({ asset, result }, index) => (
            <li key={asset.assetId} data-gap={(index === 2 && assets.length > 3) || undefined}>
              <span className={styles.was}>{asset.title}</span>
              <span className={styles.will}>{result.title}</span>
              {!result.ok && <span className={styles.fault}>{result.detail}</span>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
