import styles from './Avatar.module.css';
import { classNames } from './class-names';
import { initialsOf } from './initials';

const HUES = 7;

/** A person's initials. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={styles.avatar} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}

/** A client's first letter on a colour derived from its id. */
export function ClientMark({ clientId, name, size }: { clientId: string; name: string; size?: 'large' }) {
  let hash = 0;
  for (const character of clientId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return (
    <span
      className={classNames(
        styles.avatar,
        styles.square,
        size === 'large' && styles.large,
        styles[`hue${hash % HUES}`],
      )}
      data-letter={(name.trim()[0] ?? '?').toUpperCase()}
      aria-hidden
    />
  );
}
