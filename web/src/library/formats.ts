import { fileTypeName } from '../api/file-types';
import { type Format, useFormat } from '../i18n/use-format';
import type { Asset } from './asset-types';
import { type Day, startOf } from './days';

export interface AssetFormats extends Format {
  /** The second line of a card: 1200 × 800 · JPEG, or 0:14 · MP4. */
  facts: (asset: Asset) => string;
  /** Tuesday, 17 November; with the year if it is not this one. */
  day: (day: Day) => string;
  pixels: (asset: Pick<Asset, 'width' | 'height'>) => string;
}

let formats: AssetFormats | undefined;

export function useAssetFormats(): AssetFormats {
  const format = useFormat();
  return (formats ??= withAssets(format));
}

function withAssets(format: Format): AssetFormats {
  const side = new Intl.NumberFormat(navigator.language, { useGrouping: false });
  const pixels: AssetFormats['pixels'] = ({ width, height }) =>
    `${side.format(width)} × ${side.format(height)}`;
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const thisYear = new Intl.DateTimeFormat(navigator.language, day);
  const otherYear = new Intl.DateTimeFormat(navigator.language, { ...day, year: 'numeric' });
  return {
    ...format,
    day: (text) => {
      const date = startOf(text);
      const isThisYear = date.getFullYear() === new Date().getFullYear();
      return (isThisYear ? thisYear : otherYear).format(date);
    },
    pixels,
    facts(asset) {
      const size = asset.durationMs === null ? pixels(asset) : format.duration(asset.durationMs);
      return `${size} · ${fileTypeName(asset.mimeType)}`;
    },
  };
}
