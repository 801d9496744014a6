import { Download, History, Link, Send } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { useAssetCommands } from '../actions/asset-commands';
import type { EditOf } from '../actions/use-edit-asset';
import { MAX_TITLE } from '../grid/card-parts';
import type { Asset } from '../../library/asset-types';
import { downloadUrl } from '../../library/preview-url';
import { SurfaceChips, useSurfacesText } from '../../library/SurfaceChips';
import { AssetFacts } from './AssetFacts';
import { AssetUsages } from './AssetUsages';
import { Crops, hasCrops } from './Crops';
import { DeliverDialog } from './DeliverDialog';
import { EditableText } from './EditableText';
import { FitnessSection } from './FitnessSection';
import { FocalPicture } from './FocalPicture';
import { TagEditor } from './TagEditor';
import styles from './AssetDetails.module.css';

const AssetActivity = lazyWithTexts(() => import('../../admin/audit/AssetActivity'));

const MAX_TEXT = 2000;

export function AssetDetails({ asset }: { asset: Asset }) {
  const t = useTranslations('details');
  const scope = useScope();
  const commands = useAssetCommands();
  const surfacesText = useSurfacesText();
  const [isDelivering, setDelivering] = useState(false);
  const edit = (change: EditOf) => void commands.edit(asset, change);
  const canWrite = scope.can('assets:write');
  const canDeliver = scope.side === 'admin' && scope.can('deliveries:write') && scope.can('targets:read');
  return (
    <div className={styles.details}>
      <FocalPicture asset={asset} onChange={(focalPoint) => edit({ focalPoint })} />
      <EditableText
        label={t('title')}
        value={asset.title}
        maxLength={MAX_TITLE}
        isRequired
        isHeading
        placeholder={t('title')}
        onSave={(title) => edit({ title })}
      />
      <div className={styles.actions}>
        <ButtonLink
          href={downloadUrl(scope.basePath, asset.assetId)}
          download
          icon={<Download size={16} aria-hidden />}
        >
          {t('download')}
        </ButtonLink>
        {canDeliver && (
          <Button icon={<Send size={16} aria-hidden />} onPress={() => setDelivering(true)}>
            {t('deliver.button')}
          </Button>
        )}
        <IconButton
          label={t('copyLink')}
          icon={<Link aria-hidden />}
          onPress={() => commands.take({ command: 'copyLink', asset })}
        />
      </div>
      <Section title={t('altText')} isWarning={asset.altText === ''}>
        <EditableText
          label={t('altText')}
          value={asset.altText}
          maxLength={MAX_TEXT}
          isMultiline
          placeholder={t('addAltText')}
          onSave={(altText) => edit({ altText })}
        />
      </Section>
      <Section title={t('description')}>
        <EditableText
          label={t('description')}
          value={asset.description}
          maxLength={MAX_TEXT}
          isMultiline
          placeholder={t('addDescription')}
          onSave={(description) => edit({ description })}
        />
      </Section>
      <Section title={t('tags')}>
        <TagEditor
          tags={asset.tags}
          isReadOnly={!canWrite}
          onChange={(change) => edit(({ tags }) => ({ tags: change(tags) }))}
        />
      </Section>
      <Section title={t('surfaces')}>
        {canWrite ? (
          <SurfaceChips
            label={t('surfaces')}
            surfaces={asset.allowedSurfaces}
            onChange={(change) =>
              edit(({ allowedSurfaces }) => ({ allowedSurfaces: change(allowedSurfaces) }))
            }
          />
        ) : (
          <p>{surfacesText(asset.allowedSurfaces)}</p>
        )}
      </Section>
      <Section title={t('fitness.title')}>
        <FitnessSection asset={asset} />
      </Section>
      {hasCrops(asset) && (
        <Section title={t('crops.title')}>
          <Crops asset={asset} />
        </Section>
      )}
      <Section title={t('usages.title')}>
        <AssetUsages assetId={asset.assetId} />
      </Section>
      <Section title={t('facts.title')}>
        <AssetFacts asset={asset} />
      </Section>
      {scope.can('audit:read') && <ActivitySection assetId={asset.assetId} />}
      {isDelivering && <DeliverDialog assets={[asset]} onClose={() => setDelivering(false)} />}
    </div>
  );
}

/** Loaded only when somebody asks for it. */
function ActivitySection({ assetId }: { assetId: string }) {
  const t = useTranslations('details.activity');
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t('title')}>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={64} />}>
          <AssetActivity assetId={assetId} />
        </Suspense>
      ) : (
        <Button className={styles.show} icon={<History aria-hidden />} onPress={() => setOpen(true)}>
          {t('show')}
        </Button>
      )}
    </Section>
  );
}

export function Section({
  title,
  isWarning,
  children,
}: {
  title: string;
  isWarning?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <h2 data-warning={isWarning || undefined}>{title}</h2>
      {children}
    </section>
  );
}
