import { useFormatter } from 'use-intl';
import { useMemo } from 'react';
import { fileTypeName } from '../api/file-types';
import type { Asset } from './asset-types';

/** 0:14, 1:02:03. */
export function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0]! > 0 ? parts : parts.slice(1);
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

export interface AssetFormats {
  bytes: (size: number) => string;
  /** The second line of a card: 1200 × 800 · JPEG, or 0:14 · MP4. */
  facts: (asset: Asset) => string;
  pixels: (asset: Pick<Asset, 'width' | 'height'>) => string;
  date: (iso: string) => string;
  dateTime: (iso: string) => string;
  number: (value: number) => string;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function useAssetFormats(): AssetFormats {
  const format = useFormatter();
  return useMemo(() => {
    const number = (value: number) => format.number(value);
    const pixels = ({ width, height }: Pick<Asset, 'width' | 'height'>) =>
      `${format.number(width, { useGrouping: false })} × ${format.number(height, { useGrouping: false })}`;
    return {
      number,
      pixels,
      bytes(size) {
        const power = size < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
        const value = size / 1000 ** power;
        const maximumFractionDigits = power > 1 && value < 100 ? 1 : 0;
        const unitDisplay = power === 0 ? 'long' : 'short';
        return format.number(value, {
          style: 'unit',
          unit: UNITS[power],
          unitDisplay,
          maximumFractionDigits,
        });
      },
      facts(asset) {
        const size = asset.durationMs === null ? pixels(asset) : durationText(asset.durationMs);
        return `${size} · ${fileTypeName(asset.mimeType)}`;
      },
      date: (iso) => format.dateTime(new Date(iso), { dateStyle: 'medium' }),
      dateTime: (iso) => format.dateTime(new Date(iso), { dateStyle: 'medium', timeStyle: 'short' }),
    };
  }, [format]);
}
