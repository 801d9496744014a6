import {
  Ban,
  Check,
  CircleDashed,
  Clock,
  LoaderCircle,
  Mail,
  Pause,
  TriangleAlert,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useTranslations } from '../../i18n';
import type { Messages } from '../../i18n/messages';
import styles from './Cell.module.css';
import { Badge, type Tone } from '../../ui/Badge';

type State = keyof Messages['admin']['states'];

const LOOKS: Record<State, [Tone, LucideIcon]> = {
  active: ['success', Check],
  behind: ['danger', TriangleAlert],
  cancelled: ['neutral', Ban],
  connected: ['success', Check],
  copy: ['danger', TriangleAlert],
  credentials_unreadable: ['danger', TriangleAlert],
  deactivated: ['neutral', Ban],
  delayed: ['warning', Clock],
  delivered: ['success', Check],
  error: ['danger', X],
  expired: ['warning', Clock],
  failed: ['danger', X],
  forbidden: ['danger', X],
  full: ['danger', TriangleAlert],
  idle: ['neutral', Pause],
  invited: ['accent', Mail],
  link_expired: ['warning', Clock],
  newer_schema: ['warning', TriangleAlert],
  not_configured: ['warning', TriangleAlert],
  not_writable: ['danger', TriangleAlert],
  ok: ['success', Check],
  other_installation: ['danger', TriangleAlert],
  queued: ['neutral', Clock],
  read_only: ['warning', Pause],
  revoked: ['neutral', Ban],
  running: ['accent', LoaderCircle],
  stale: ['warning', Clock],
  stopped: ['neutral', Ban],
  unclaimed: ['danger', TriangleAlert],
  unknown: ['neutral', CircleDashed],
  unreachable: ['danger', X],
  unverified: ['neutral', CircleDashed],
  waiting: ['accent', Clock],
};

/** A state, with the reason for it below. */
export function StateCell({ state, reason }: { state: State; reason: string | null }) {
  return (
    <span className={styles.withReason}>
      <StateBadge state={state} />
      {reason && <span className={styles.minor}>{reason}</span>}
    </span>
  );
}

export function StateBadge({ state }: { state: State }) {
  const t = useTranslations('admin.states');
  const [tone, Icon] = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(state)}
    </Badge>
  );
}
