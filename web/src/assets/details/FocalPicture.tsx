import { isVideo } from '../../api/file-types';
import { Crosshair, Maximize2, X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent } from 'react';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { IconButton } from '../../ui/IconButton';
import { useAssetCommands } from '../actions/asset-commands';
import { type Asset, type FocalPoint } from '../../library/asset-types';
import { placeholderOf } from '../../library/placeholders';
import { previewUrl } from '../../library/preview-url';
import styles from './FocalPicture.module.css';

export interface FocalPictureProps {
  readonly asset: Asset;
  onChange: (focalPoint: FocalPoint | null) => void;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.05, 0],
  ArrowRight: [0.05, 0],
  ArrowUp: [0, -0.05],
  ArrowDown: [0, 0.05],
};
const CENTER: FocalPoint = { x: 0.5, y: 0.5 };

/** The whole picture. A click or the arrow keys set the point that crops keep in view. */
export function FocalPicture({ asset, onChange }: FocalPictureProps) {
  const t = useTranslations('details.focal');
  const scope = useScope();
  const { open } = useAssetCommands();
  const { focalPoint } = asset;
  const canSet = scope.can('assets:write') && !isVideo(asset);
  const size = { '--width': asset.width, '--height': asset.height };
  const background = asset.placeholder ? placeholderOf(asset.placeholder) : undefined;
  const picture = (
    <img
      key={asset.assetId}
      src={previewUrl(scope.basePath, asset, 'small')}
      alt={asset.altText}
      draggable={false}
    />
  );
  const onClick = ({ clientX, clientY, currentTarget, detail }: MouseEvent) => {
    if (detail === 0) return;
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange(within({ x: (clientX - left) / width, y: (clientY - top) / height }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const { x, y } = focalPoint ?? CENTER;
    onChange(within({ x: x + step[0], y: y + step[1] }));
  };
  return (
    <div className={styles.frame}>
      <div className={styles.picture} style={{ ...size, backgroundImage: background }}>
        {canSet ? (
          <button
            type="button"
            className={styles.target}
            aria-label={t('set')}
            title={t('set')}
            onClick={onClick}
            onKeyDown={onKeyDown}
          >
            {picture}
            {focalPoint && (
              <span
                className={styles.point}
                style={{ left: `${focalPoint.x * 100}%`, top: `${focalPoint.y * 100}%` }}
              >
                <Crosshair size={18} aria-hidden />
              </span>
            )}
          </button>
        ) : (
          picture
        )}
      </div>
      <div className={styles.buttons}>
        {focalPoint && canSet && (
          <IconButton label={t('clear')} icon={<X size={16} aria-hidden />} onPress={() => onChange(null)} />
        )}
        <IconButton
          label={t('open')}
          icon={<Maximize2 size={16} aria-hidden />}
          onPress={() => open(asset.assetId)}
        />
      </div>
    </div>
  );
}

function within({ x, y }: FocalPoint): FocalPoint {
  const round = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
  return { x: round(x), y: round(y) };
}
