import { useTranslations } from '../../i18n';
import type { Asset } from '../../library/asset-types';
import styles from './EditDialog.module.css';

export interface Failure {
  readonly assetId: string;
  readonly detail?: string;
}

export interface FailedAssetsProps {
  readonly label: string;
  readonly assets: readonly Asset[];
  readonly failed: readonly Failure[];
}

const MAX_SHOWN = 5;

/** Which of the assets something could not be done with, and why. */
export function FailedAssets({ label, assets, failed }: FailedAssetsProps) {
  const t = useTranslations('details.editMany');
  const titles = new Map(assets.map(({ assetId, title }) => [assetId, title]));
  const more = failed.length - MAX_SHOWN;
  return (
    <ul className={styles.failed} aria-label={label}>
      {failed.slice(0, MAX_SHOWN).map(({ assetId, detail }) => (
        <li key={assetId}>
          <strong>{titles.get(assetId)}</strong> {detail ?? t('gone')}
        </li>
      ))}
      {more > 0 && <li>{t('more', { count: more })}</li>}
    </ul>
  );
}
