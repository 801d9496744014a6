import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { pageOf, pagesOf } from '../../library/asset-pages';
import { pageQuery } from '../../library/library-queries';
import type { Library } from '../../library/use-library';
import type { Range } from './grid-layout';

const LOAD_EVERY_MS = 120;
const PAGES_KEPT = 40;

/** Loads the pages in view and drops those far away. During scrolling, only some of them are requested. */
export function useLoadedPages({ scope, listing, reader }: Library, range: Range, isPaused = false): void {
  const wanted = useThrottled(range, isPaused);
  useQueries({ queries: pagesOf(wanted.start, wanted.end).map((page) => pageQuery(scope, listing, page)) });
  useEffect(() => reader.dropFarPages(pageOf(wanted.start), PAGES_KEPT), [reader, wanted]);
}

function useThrottled(range: Range, isPaused: boolean): Range {
  const [shown, setShown] = useState(range);
  const changedAt = useRef(0);
  useEffect(() => {
    if (isPaused || (shown.start === range.start && shown.end === range.end)) return;
    const show = () => {
      changedAt.current = performance.now();
      setShown(range);
    };
    const timer = setTimeout(show, Math.max(0, changedAt.current + LOAD_EVERY_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [isPaused, range, shown]);
  return shown;
}
