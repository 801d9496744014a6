import { isShownWhole, isVideo } from '../../api/file-types';
import { Play } from 'lucide-react';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { type Asset } from '../../library/asset-types';
import { placeholderOf } from '../../library/placeholders';
import { type PreviewSize, previewUrl } from '../../library/preview-url';
import { retryPicture } from '../../library/retry-picture';
import { rememberShown } from '../../library/shown-pictures';
import { durationText } from '../../i18n/use-format';
import styles from './AssetPicture.module.css';

const PLAY_ICON = <Play size={10} fill="currentColor" aria-hidden />;
const PLAY_AFTER_MS = 600;

function onPictureError({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): void {
  retryPicture(image, () => image.parentElement?.setAttribute('data-broken', ''));
}

function onPictureLoad({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): void {
  image.dataset['loaded'] = 'true';
  rememberShown(image.getAttribute('src')!);
  image.parentElement?.removeAttribute('data-broken');
}

export interface AssetPictureProps {
  readonly asset: Asset;
  readonly basePath: string;
  readonly size: PreviewSize;
  readonly plays?: boolean;
  readonly isSmall?: boolean;
  /** Shows only the placeholder for now; a picture that is already shown stays. */
  readonly isLater?: boolean;
}

/** A picture over its blurred placeholder; the layout does not shift when it loads. */
export function AssetPicture(props: AssetPictureProps) {
  const { asset, basePath, size, plays = false, isSmall = false, isLater = false } = props;
  const [isShown, setShown] = useState(!isLater);
  if (!isLater && !isShown) setShown(true);
  const background = asset.placeholder && !isShownWhole(asset) ? placeholderOf(asset.placeholder) : undefined;
  return (
    <div
      className={styles.picture}
      style={{ backgroundImage: background }}
      data-fitted={isShownWhole(asset) || undefined}
    >
      {isShown && (
        <img
          src={previewUrl(basePath, asset, size)}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={onPictureLoad}
          onError={onPictureError}
        />
      )}
      {plays && isVideo(asset) && <HoverVideo src={previewUrl(basePath, asset)} />}
      {asset.durationMs !== null && !isSmall && (
        <span className={styles.duration}>
          {PLAY_ICON}
          {durationText(asset.durationMs)}
        </span>
      )}
    </div>
  );
}

/** Plays without sound while the pointer rests on the card. */
function HoverVideo({ src }: { src: string }) {
  const [isHovered, setHovered] = useState(false);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isHovered || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setTimeout(() => setPlaying(true), PLAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isHovered]);
  const leave = () => {
    setHovered(false);
    setPlaying(false);
  };
  return (
    <div className={styles.hover} onPointerEnter={() => setHovered(true)} onPointerLeave={leave}>
      {isPlaying && <video src={src} muted autoPlay loop playsInline tabIndex={-1} aria-hidden />}
    </div>
  );
}
