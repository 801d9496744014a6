import { Download } from 'lucide-react';
import { useState } from 'react';
import type { Surface } from '../../api/values';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { ToggleChip } from '../../ui/Chip';
import type { Asset } from '../../library/asset-types';
import { FIT_SHAPES, type FitShape, resizedDownloadUrl, resizedPreviewUrl } from './resized-copy';
import styles from './FitPreview.module.css';

/** The picture as it is delivered to a surface, in each shape; crops keep the focal point in view. */
export function FitPreview({ asset, surface }: { asset: Asset; surface: Surface }) {
  const t = useTranslations('details.fit');
  const { basePath } = useScope();
  const [shape, setShape] = useState<FitShape | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  if (shape === null) return <Button onPress={() => setShape('original')}>{t('show')}</Button>;
  const src = resizedPreviewUrl(basePath, asset, { fit: surface, shape });
  return (
    <figure className={styles.fit}>
      <div className={styles.shapes} role="group" aria-label={t('shape')}>
        {FIT_SHAPES.map((each) => (
          <ToggleChip key={each} isSelected={each === shape} onChange={() => setShape(each)}>
            {t(`shapes.${each}`)}
          </ToggleChip>
        ))}
      </div>
      {failed === src ? (
        <p className={styles.failed}>{t('tooSmall')}</p>
      ) : (
        <>
          <img key={src} src={src} alt={t('alt', { title: asset.title })} onError={() => setFailed(src)} />
          <ButtonLink
            href={resizedDownloadUrl(basePath, asset.assetId, { fit: surface, shape })}
            download
            icon={<Download size={16} aria-hidden />}
          >
            {t('download')}
          </ButtonLink>
        </>
      )}
    </figure>
  );
}
