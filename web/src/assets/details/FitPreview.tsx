import { useState } from 'react';
import type { Surface } from '../../api/values';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ToggleChip } from '../../ui/Chip';
import type { Asset } from '../../library/asset-types';
import styles from './FitPreview.module.css';

const SHAPES = ['original', 'square', 'portrait', 'landscape'] as const;
type Shape = (typeof SHAPES)[number];

/** The picture as it is delivered to a surface, in each shape; crops keep the focal point in view. */
export function FitPreview({ asset, surface }: { asset: Asset; surface: Surface }) {
  const t = useTranslations('details.fit');
  const { basePath } = useScope();
  const [shape, setShape] = useState<Shape | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  if (shape === null) return <Button onPress={() => setShape('original')}>{t('show')}</Button>;
  const query = new URLSearchParams({ fit: surface, shape, v: String(asset.version) });
  const src = `${basePath}/assets/${asset.assetId}/preview?${query.toString()}`;
  return (
    <figure className={styles.fit}>
      <div className={styles.shapes} role="group" aria-label={t('shape')}>
        {SHAPES.map((each) => (
          <ToggleChip key={each} isSelected={each === shape} onChange={() => setShape(each)}>
            {t(`shapes.${each}`)}
          </ToggleChip>
        ))}
      </div>
      {failed === src ? (
        <p className={styles.failed}>{t('tooSmall')}</p>
      ) : (
        <img key={src} src={src} alt={t('alt', { title: asset.title })} onError={() => setFailed(src)} />
      )}
    </figure>
  );
}
