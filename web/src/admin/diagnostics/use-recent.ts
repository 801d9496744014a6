import { useState } from 'react';

const KEPT = 5;

/** The ids that were looked up recently, stored in this browser. */
export function useRecent(name: string): [readonly string[], (id: string) => void] {
  const key = `recent:${name}`;
  const [ids, setIds] = useState<readonly string[]>(() => read(key));
  const add = (id: string) => {
    const next = [id, ...ids.filter((each) => each !== id)].slice(0, KEPT);
    localStorage.setItem(key, JSON.stringify(next));
    setIds(next);
  };
  return [ids, add];
}

function read(key: string): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
