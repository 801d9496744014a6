import { Problem } from '../common/errors/problem.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { defaultTitle } from './file-names.rules.js';

/** Literal text, or what makes the text from an asset and its number. */
type Part = string | ((asset: TitledAsset, number: number) => string);
export type TitlePattern = readonly Part[];
export type TitledAsset = Pick<Asset, 'title' | 'originalFilename' | 'takenAt' | 'createdAt'>;

const PARTS = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/gu;
const NUMBER = /^n(?::([1-9]))?$/;
const MAX_SHOWN = 40;
const KNOWN = '{title}, {filename}, {date}, {n} and {n:1} to {n:9}';

/** A literal brace is written twice. */
export function parseTitlePattern(pattern: string): TitlePattern {
  return [...pattern.matchAll(PARTS)].map(([text, name]): Part => {
    if (name !== undefined) return placeholder(name);
    if (text === '{' || text === '}') throw invalid(`contains a single ${text}; write it twice`);
    return text === '{{' ? '{' : text === '}}' ? '}' : text;
  });
}

/** Normalized as every title is; `titleFault` checks the other rules of `IsTitle`. */
export function titleOf(pattern: TitlePattern, asset: TitledAsset, number: number): string {
  const text = pattern.map((part) => (typeof part === 'string' ? part : part(asset, number))).join('');
  return text.normalize('NFC').trim();
}

/** Why an asset cannot have the title, or null. */
export function titleFault(title: string, maxLength: number): string | null {
  if (title === '') return 'The title would be empty.';
  if ([...title].length > maxLength) return `The title would be longer than ${maxLength} characters.`;
  return /\p{Cc}/u.test(title) ? 'The title would contain control characters.' : null;
}

function placeholder(name: string): Part {
  switch (name) {
    case 'title':
      return ({ title }) => title;
    case 'filename':
      return ({ originalFilename }) => defaultTitle(originalFilename, Infinity);
    case 'date':
      return ({ takenAt, createdAt }) => (takenAt ?? createdAt).toISOString().split('T')[0]!;
  }
  const width = NUMBER.exec(name);
  if (width === null) {
    const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
    throw invalid(`contains the unknown placeholder {${shown}}; there are ${KNOWN}`);
  }
  return (_asset, number) => String(number).padStart(Number(width[1] ?? 1), '0');
}

function invalid(message: string): Problem {
  return Problem.validation('titlePattern', `titlePattern ${message}`);
}
