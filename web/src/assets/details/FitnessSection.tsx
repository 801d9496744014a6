import { isVideo } from '../../api/file-types';
import { useQuery } from '@tanstack/react-query';
import { Ban, ChevronDown, CircleCheck, type LucideIcon, TriangleAlert, Wrench } from 'lucide-react';
import { useState } from 'react';
import { type Surface, SURFACES } from '../../api/values';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Badge, type Tone } from '../../ui/Badge';
import { useFilterLabels } from '../../library/filter-labels';
import { type Asset, type ChannelFitness, type FitnessReason, type Verdict } from '../../library/asset-types';
import { fitnessQuery } from '../../library/library-queries';
import { FitPreview } from './FitPreview';
import { useReasonText } from './reason-text';
import styles from './FitnessSection.module.css';

const LOOKS: Record<Verdict, { tone: Tone; Icon: LucideIcon }> = {
  ready: { tone: 'success', Icon: CircleCheck },
  fixable: { tone: 'warning', Icon: Wrench },
  blocked: { tone: 'danger', Icon: Ban },
};

const WARNED = { tone: 'warning', Icon: TriangleAlert } as const;

/** How well the file meets the published limits of each surface: a hint, never a block. */
export function FitnessSection({ asset }: { asset: Asset }) {
  // A new surface has no entry until a job has checked the asset.
  const found: Partial<Asset['fitness']> = asset.fitness;
  return (
    <ul className={styles.surfaces}>
      {SURFACES.map((surface) => {
        const fitness = found[surface];
        return fitness && <SurfaceFitness key={surface} asset={asset} surface={surface} fitness={fitness} />;
      })}
    </ul>
  );
}

interface SurfaceFitnessProps {
  asset: Asset;
  surface: Surface;
  fitness: Asset['fitness'][Surface];
}

function SurfaceFitness({ asset, surface, fitness }: SurfaceFitnessProps) {
  const t = useTranslations('details.fitness');
  const labels = useFilterLabels();
  const [isOpen, setOpen] = useState(false);
  const { verdict, fix } = fitness;
  return (
    <li className={styles.surface}>
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span>{labels.surface(surface)}</span>
        <VerdictBadge verdict={verdict} />
        <ChevronDown size={16} aria-hidden />
      </button>
      {isOpen && (
        <div className={styles.body}>
          <p className={styles.meaning}>{t(`meanings.${isVideo(asset) ? 'video' : 'image'}.${verdict}`)}</p>
          <Channels asset={asset} surface={surface} />
          {!isVideo(asset) && (fix === 'fit' || verdict === 'ready') && (
            <FitPreview asset={asset} surface={surface} />
          )}
        </div>
      )}
    </li>
  );
}

function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('details.fitness');
  const { tone, Icon } = LOOKS[verdict];
  return (
    <Badge tone={tone} icon={<Icon size={12} aria-hidden />}>
      {t(`verdicts.${verdict}`)}
    </Badge>
  );
}

function Channels({ asset, surface }: { asset: Asset; surface: Surface }) {
  const scope = useScope();
  const { data } = useQuery(fitnessQuery(scope, asset.assetId));
  const channels = data?.channels.filter((channel) => channel.surface === surface) ?? [];
  return (
    <ul className={styles.channels}>
      {channels.map((channel) => (
        <Channel key={channel.channel} channel={channel} />
      ))}
    </ul>
  );
}

function Channel({ channel }: { channel: ChannelFitness }) {
  const t = useTranslations('details.fitness');
  const isWarned = channel.verdict === 'ready' && channel.warnings.length > 0;
  const { tone, Icon } = isWarned ? WARNED : LOOKS[channel.verdict];
  const reasonText = useReasonText();
  const textOf = (reason: FitnessReason) => reasonText(reason, limitOf(channel, reason));
  return (
    <li className={styles.channel}>
      <span className={styles.icon} data-tone={tone}>
        <Icon size={14} aria-hidden />
      </span>
      <div>
        <span>
          {channel.label}
          <span className="visually-hidden">
            {' '}
            {isWarned ? t('warned') : t(`verdicts.${channel.verdict}`)}
          </span>
        </span>
        {channel.reasons.map((reason) => (
          <p key={reason.code}>{textOf(reason)}</p>
        ))}
        {channel.warnings.map((warning) => (
          <p key={`${warning.code} ${warning.limit}`}>
            {t('warning', { reason: textOf(warning), remedy: warning.remedy })}
          </p>
        ))}
      </div>
    </li>
  );
}

/** The message of a reason begins with the channel, which is already shown above it. */
function limitOf({ label }: ChannelFitness, { message }: FitnessReason): string {
  const rest = message.startsWith(`${label} `) ? message.slice(label.length + 1) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
