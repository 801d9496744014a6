/** How a visit to a landing page would be attributed. Nothing is recorded. */
export interface Attribution {
  readonly source: string;
  readonly medium: string;
  readonly channel: string;
  readonly campaign: string | null;
  readonly utm: Readonly<Record<string, string>>;
  readonly clickIds: Readonly<Record<string, string>>;
  readonly referrer: string | null;
}

export const UTM_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'utm_id',
] as const;

/** A click id identifies the network that sent the visitor, whatever else the URL contains. */
export const CLICK_IDS: Readonly<Record<string, { source: string; medium: string }>> = {
  gclid: { source: 'google', medium: 'cpc' },
  gbraid: { source: 'google', medium: 'cpc' },
  wbraid: { source: 'google', medium: 'cpc' },
  msclkid: { source: 'bing', medium: 'cpc' },
  fbclid: { source: 'facebook', medium: 'social' },
  ttclid: { source: 'tiktok', medium: 'paid_social' },
  li_fat_id: { source: 'linkedin', medium: 'paid_social' },
  epik: { source: 'pinterest', medium: 'paid_social' },
};

/** Hosts including their subdomains. Only real country domains match: anyone can register google.xy.io, but not google.co.uk. */
const SEARCH_ENGINES: readonly [host: RegExp, source: string][] = [
  [/(^|\.)google\.(com|cat|[a-z]{2}|com?\.[a-z]{2})$/, 'google'],
  [/(^|\.)bing\.com$/, 'bing'],
  [/(^|\.)duckduckgo\.com$/, 'duckduckgo'],
  [/(^|\.)yahoo\.(com|[a-z]{2}|com?\.[a-z]{2})$/, 'yahoo'],
  [/(^|\.)ecosia\.org$/, 'ecosia'],
  [/(^|\.)yandex\.(com|[a-z]{2}|com?\.[a-z]{2})$/, 'yandex'],
  [/(^|\.)baidu\.com$/, 'baidu'],
];

const SOCIAL_NETWORKS: readonly [host: RegExp, source: string][] = [
  [/(^|\.)(facebook\.com|fb\.com|fb\.me)$/, 'facebook'],
  [/(^|\.)instagram\.com$/, 'instagram'],
  [/(^|\.)(linkedin\.com|lnkd\.in)$/, 'linkedin'],
  [/(^|\.)(twitter\.com|x\.com|t\.co)$/, 'x'],
  [/(^|\.)tiktok\.com$/, 'tiktok'],
  [/(^|\.)(pinterest\.(com|[a-z]{2}|com?\.[a-z]{2})|pin\.it)$/, 'pinterest'],
  [/(^|\.)(youtube\.com|youtu\.be)$/, 'youtube'],
];

/** The channel of a medium; the first match wins. */
const CHANNELS: readonly [medium: RegExp, channel: string][] = [
  [/^(cpc|ppc|paid_?search|sem)$/, 'Paid search'],
  [/^(paid_?social|social_?paid|cpm_social)$/, 'Paid social'],
  [/^(display|banner|cpm|interstitial)$/, 'Display'],
  [/^(organic|search)$/, 'Organic search'],
  [/^(social|social_?media|sm|social_?network)$/, 'Organic social'],
  [/^(e?_?-?mail|newsletter)$/, 'Email'],
  [/^(affiliate|partner)$/, 'Affiliates'],
  [/^(sms|push|notification)$/, 'Messaging'],
  [/^referral$/, 'Referral'],
  [/^\(none\)$/, 'Direct'],
];

/** In this order: utm parameters, a click id, the referrer, otherwise direct. */
export function attribute(
  parameters: Readonly<Record<string, string>>,
  referrer: string | null,
  ownHost: string | null,
): Attribution {
  const utm = pick(parameters, UTM_PARAMETERS);
  const clickIds = pick(parameters, Object.keys(CLICK_IDS));
  const [clickId] = Object.keys(clickIds);
  const guess = (clickId && CLICK_IDS[clickId]) || fromReferrer(referrer, ownHost);
  const source = utm['utm_source']?.toLowerCase() ?? guess.source;
  const medium = utm['utm_medium']?.toLowerCase() ?? (utm['utm_source'] ? '(not set)' : guess.medium);
  return {
    source,
    medium,
    channel: channelOf(medium),
    campaign: utm['utm_campaign'] ?? null,
    utm,
    clickIds,
    referrer,
  };
}

function fromReferrer(referrer: string | null, ownHost: string | null): { source: string; medium: string } {
  const host = hostOf(referrer);
  if (!host || host === ownHost) return { source: '(direct)', medium: '(none)' };
  const find = (table: readonly [RegExp, string][]) => table.find(([pattern]) => pattern.test(host))?.[1];
  const engine = find(SEARCH_ENGINES);
  if (engine) return { source: engine, medium: 'organic' };
  const network = find(SOCIAL_NETWORKS);
  if (network) return { source: network, medium: 'social' };
  return { source: host, medium: 'referral' };
}

/** For pages only: javascript://www.google.com/ is not a referrer. */
function hostOf(referrer: string | null): string | null {
  if (!referrer || !URL.canParse(referrer)) return null;
  const { protocol, hostname } = new URL(referrer);
  return /^https?:$/.test(protocol) ? hostname.toLowerCase() : null;
}

function channelOf(medium: string): string {
  return CHANNELS.find(([pattern]) => pattern.test(medium))?.[1] ?? 'Other';
}

function pick(
  parameters: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (parameters[name] ? [[name, parameters[name]]] : [])));
}
