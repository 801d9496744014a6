import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../browser/clipboard';
import { useTranslations } from '../i18n';
import { IconButton } from './IconButton';
import { TextField } from './TextField';
import styles from './CopyField.module.css';

export interface CopyFieldProps {
  label: string;
  value: string;
  description?: string;
}

/** A value with a button that copies it. */
export function CopyField({ label, value, description }: CopyFieldProps) {
  const t = useTranslations('ui');
  const [isCopied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    // To be copied by hand.
    else input.current?.select();
  };
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <TextField
      label={label}
      value={value}
      isReadOnly
      description={description}
      inputClassName={styles.value}
      inputRef={input}
      onFocus={(event) => event.target.select()}
      end={
        <IconButton
          label={isCopied ? t('copied') : t('copy')}
          icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          onPress={() => void copy()}
        />
      }
    />
  );
}
