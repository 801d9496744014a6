import { ExternalLink, FileText, Globe, MapPin, Send, Share2 } from 'lucide-react';
import { useTranslations } from '../i18n';
import { useAssetFormats } from '../library/formats';
import type { Usage } from '../library/asset-types';
import styles from './UsageList.module.css';

const ICONS = {
  seo_post: FileText,
  website_change: Globe,
  social_post: Share2,
  gbp_update: MapPin,
  delivery: Send,
} as const;

/** Where an asset is used, with links if the address is known. */
export function UsageList({ usages }: { usages: readonly Usage[] }) {
  const t = useTranslations('details.usages');
  const formats = useAssetFormats();
  return (
    <ul className={styles.list}>
      {usages.map((usage) => {
        const Icon = ICONS[usage.kind];
        const name = usage.title ?? usage.externalId;
        return (
          <li key={usage.usageId} className={styles.usage}>
            <Icon size={16} aria-hidden />
            <div>
              {usage.url ? (
                <a href={usage.url} target="_blank" rel="noreferrer noopener">
                  {name}
                  <ExternalLink size={12} aria-hidden />
                </a>
              ) : (
                <span>{name}</span>
              )}
              <p>
                {t(`kinds.${usage.kind}`)} · {formats.date(usage.postedAt ?? usage.createdAt)}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
