import { isShownWhole } from '../api/file-types';
import { ImageOff, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { durationText } from '../i18n/use-format';
import { type Asset } from '../library/asset-types';
import { placeholderOf } from '../library/placeholders';
import { previewUrl } from '../library/preview-url';
import styles from './Picker.module.css';
import { loadPicture } from './pictures';

/** The picture of an asset over its placeholder, loaded when it comes into view. */
export function PickerPicture({ asset, basePath }: { asset: Asset; basePath: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [source, setSource] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  const url = previewUrl(basePath, asset, 'small');
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let isGone = false;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        loadPicture(url).then(
          (loaded) => !isGone && setSource(loaded),
          () => !isGone && setBroken(true),
        );
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [url]);
  const placeholder =
    asset.placeholder && !isShownWhole(asset) ? placeholderOf(asset.placeholder) : undefined;
  return (
    <div ref={frame} className={styles.picture} style={{ backgroundImage: placeholder }}>
      {source && <img src={source} alt="" draggable={false} data-fitted={isShownWhole(asset) || undefined} />}
      {isBroken && <ImageOff size={18} aria-hidden />}
      {asset.durationMs !== null && (
        <span className={styles.duration}>
          <Play size={10} fill="currentColor" aria-hidden />
          {durationText(asset.durationMs)}
        </span>
      )}
    </div>
  );
}
