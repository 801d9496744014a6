import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from '../ui/class-names';
import { retryPicture } from './retry-picture';
import styles from './Thumbnails.module.css';

const ICON_SIZES = { small: 14, medium: 18, large: 20 };

export interface ThumbnailsProps {
  readonly sources: readonly string[];
  readonly icon: LucideIcon;
  readonly size?: keyof typeof ICON_SIZES;
  /** On the pictures, if any. */
  readonly children?: ReactNode;
}

/** A picture, or several as a mosaic; the icon if there is none or it does not load. The text beside it names what it shows. */
export function Thumbnails({ sources, icon: Icon, size = 'medium', children }: ThumbnailsProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = sources.filter((source) => !broken.includes(source));
  return (
    <span className={classNames(styles.mark, styles[size])}>
      {shown.length === 0 ? (
        <Icon size={ICON_SIZES[size]} aria-hidden />
      ) : (
        <span className={styles.pictures}>
          {shown.map((source) => (
            <img
              key={source}
              src={source}
              alt=""
              loading="lazy"
              draggable={false}
              onError={({ currentTarget }) =>
                retryPicture(currentTarget, () => setBroken((sources) => [...sources, source]))
              }
            />
          ))}
        </span>
      )}
      {shown.length > 0 && children}
    </span>
  );
}
