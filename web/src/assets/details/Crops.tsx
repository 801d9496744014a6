import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { isShownWhole, isVideo } from '../../api/file-types';
import { useTranslations } from '../../i18n';
import type { Asset, Crop } from '../../library/asset-types';
import { useAssetFormats } from '../../library/formats';
import { fitnessQuery } from '../../library/library-queries';
import { placeholderOf } from '../../library/placeholders';
import { previewUrl } from '../../library/preview-url';
import { useScope } from '../../scope/scope';
import { ButtonLink } from '../../ui/ButtonLink';
import { Skeleton } from '../../ui/Skeleton';
import { Tooltip } from '../../ui/Tooltip';
import { cropPosition } from './crop-position';
import { resizedDownloadUrl, resizedPreviewUrl } from './resized-copy';
import styles from './Crops.module.css';

const SIDE = 72;
const DOWNLOAD_ICON = <Download size={16} aria-hidden />;

export function hasCrops(asset: Asset): boolean {
  const { allowedSurfaces } = asset;
  return !isVideo(asset) && (allowedSurfaces.length === 0 || allowedSurfaces.includes('social'));
}

/** The picture in each shape that social networks use, to be downloaded. */
export function Crops({ asset }: { asset: Asset }) {
  const t = useTranslations('details.crops');
  const scope = useScope();
  const [list, isSeen] = useSeen<HTMLUListElement>();
  const { data } = useQuery(fitnessQuery(scope, asset.assetId));
  if (!data) return <Skeleton height={4 * SIDE} />;
  const labels = new Map(data.channels.map(({ channel, label }) => [channel, label]));
  return (
    <>
      {scope.can('assets:write') && asset.focalPoint === null && <p className={styles.hint}>{t('hint')}</p>}
      <ul ref={list} className={styles.crops}>
        {data.crops.map((crop) => (
          <li key={crop.shape} className={styles.crop}>
            <div className={styles.frame}>
              {isSeen && !crop.isTooSmall && <CropPicture asset={asset} crop={crop} />}
            </div>
            <CropFacts
              crop={crop}
              channels={crop.channels.map((channel) => labels.get(channel) ?? channel)}
            />
            {!crop.isTooSmall && <CropDownload asset={asset} crop={crop} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** With a focal point, it is cut out of the preview. Without one, only the service knows where it crops. */
function CropPicture({ asset, crop }: { asset: Asset; crop: Crop }) {
  const { basePath } = useScope();
  const { focalPoint } = asset;
  const { width, height } = crop;
  const scale = SIDE / Math.max(width, height);
  const style: CSSProperties = {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    backgroundImage: asset.placeholder && !isShownWhole(asset) ? placeholderOf(asset.placeholder) : undefined,
  };
  if (focalPoint === null) return <img src={resizedPreviewUrl(basePath, asset, crop)} alt="" style={style} />;
  const objectPosition = cropPosition(asset, crop, focalPoint);
  return <img src={previewUrl(basePath, asset, 'small')} alt="" style={{ ...style, objectPosition }} />;
}

function CropFacts({ crop, channels }: { crop: Crop; channels: readonly string[] }) {
  const t = useTranslations('details.crops');
  const formats = useAssetFormats();
  return (
    <div className={styles.facts}>
      <p className={styles.shape}>{t(`shapes.${crop.shape}`)}</p>
      <p>{crop.isTooSmall ? t('tooSmall') : formats.pixels(crop)}</p>
      <p>{channels.join(', ')}</p>
    </div>
  );
}

function CropDownload({ asset, crop }: { asset: Asset; crop: Crop }) {
  const t = useTranslations('details.crops');
  const { basePath } = useScope();
  const label = t('download', { shape: t(`shapes.${crop.shape}`) });
  return (
    <Tooltip label={label}>
      <ButtonLink
        href={resizedDownloadUrl(basePath, asset.assetId, crop)}
        download
        variant="ghost"
        aria-label={label}
        icon={DOWNLOAD_ICON}
      />
    </Tooltip>
  );
}

/** Whether the element has ever been in view. Until then, the service makes no crops. */
function useSeen<T extends Element>() {
  const ref = useRef<T>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (isSeen || !element) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [ref, isSeen] as const;
}
