import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import field from '../ui/Field.module.css';
import styles from './SignIn.module.css';

interface PlainFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** What the browser says if the field is left empty. */
  missing: string;
  hint?: string;
  /** A control at the end of the field. */
  end?: ReactNode;
}

/** A required field without React Aria, which would make the sign-in page a tenth larger. */
export function PlainField({ label, missing, hint, end, ...input }: PlainFieldProps) {
  const id = useId();
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div className={end ? field.withEnd : undefined}>
        <input
          {...input}
          id={id}
          className={field.input}
          aria-describedby={hint && `${id}-hint`}
          required
          onInvalid={({ currentTarget }: FormEvent<HTMLInputElement>) =>
            currentTarget.setCustomValidity(currentTarget.validity.valueMissing ? missing : '')
          }
          onInput={({ currentTarget }: FormEvent<HTMLInputElement>) => currentTarget.setCustomValidity('')}
        />
        {end && <div className={field.end}>{end}</div>}
      </div>
      {hint && (
        <span id={`${id}-hint`} className={field.description}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** A password that can be shown, so that it need not be typed twice. */
export function PasswordField(props: Omit<PlainFieldProps, 'type' | 'end'>) {
  const t = useTranslations('session');
  const [isShown, setShown] = useState(false);
  return (
    <PlainField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <Button
          variant="ghost"
          className={styles.show}
          aria-label={isShown ? t('hidePassword') : t('showPassword')}
          icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          onPress={() => setShown(!isShown)}
        />
      }
    />
  );
}
