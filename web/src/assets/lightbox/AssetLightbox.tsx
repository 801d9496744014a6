import { isShownWhole, isVideo } from '../../api/file-types';
import { useQuery } from '@tanstack/react-query';
import { Download, Hash, Info, Link } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, Suspense, useMemo, useState } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import Lightbox, { type Slide } from 'yet-another-react-lightbox';
import Video from 'yet-another-react-lightbox/plugins/video';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import { isShortcut } from '../../ui/shortcuts';
import { useTranslations } from '../../i18n';
import { download } from '../../browser/download';
import { type CopyCommand, useAssetCommands } from '../actions/asset-commands';
import { useLoadedPages } from '../grid/use-loaded-pages';
import { type Asset } from '../../library/asset-types';
import { missingAsset } from '../../missing/missing-problem';
import { assetQuery } from '../../library/library-queries';
import { placeholderOf } from '../../library/placeholders';
import { downloadUrl, previewUrl } from '../../library/preview-url';
import { wasShown } from '../../library/shown-pictures';
import { useAssetCount } from '../../library/use-asset-count';
import { useLibrary } from '../../library/use-library';
import { chooseOnly, countChosen } from '../../library/selection';
import { useLinkedPlace } from '../../library/use-linked-place';
import { isOpenedByLink, useCloseLightbox } from './use-close-lightbox';
import './lightbox.css';

/** The number of slides on each side; more are added as the user moves on. */
const AROUND = 50;
const MARGIN = 10;
const MissingAsset = lazyWithTexts(() => import('../../missing/MissingAsset'));

const PLUGINS = [Zoom, Video];

export default function AssetLightbox({ assetId }: { assetId: string }) {
  const t = useTranslations('lightbox');
  const { scope, search, reader, setSearch, selection, cache } = useLibrary();
  const commands = useAssetCommands();
  const close = useCloseLightbox();
  const { count } = useAssetCount();
  const { data: opened, error } = useQuery({
    ...assetQuery(scope, assetId),
    initialData: () => cache.find(assetId),
    initialDataUpdatedAt: 0,
  });
  const [isLinked] = useState(isOpenedByLink);
  useLinkedPlace(isLinked ? opened : undefined);
  const place = reader.indexOf(assetId);
  const { start, end } = useWindow(place, count);
  useLoadedPages(
    useLibrary(),
    useMemo(() => ({ start, end }), [start, end]),
  );

  const shown =
    place === null ? (opened ? [opened] : []) : loadedBetween(start, end, (index) => reader.assetAt(index));
  const index = Math.max(
    0,
    shown.findIndex((asset) => asset.assetId === assetId),
  );
  const slides = shown.map((asset) => slideOf(asset, scope.basePath));
  const focusAt = (at: number) => {
    const isChosen = countChosen(selection.get().selection) > 0;
    if (isChosen) selection.choose(chooseOnly(at, assetId), at);
    else selection.update({ focusedIndex: at });
    selection.focusGrid();
  };
  const finish = async () => {
    close();
    if (place !== null) return focusAt(place);
    // Another one, from which this one was opened.
    if (!isLinked) return selection.focusGrid();
    const found = await reader.locate(assetId, search.at ?? 0);
    if (found !== null) focusAt(found);
    // No other one may look as if it were this one.
    else document.querySelector<HTMLElement>('[data-main-content]')?.focus();
  };
  const onView = (viewed: number) => {
    const asset = shown[viewed];
    if (asset && asset.assetId !== assetId)
      setSearch({ asset: asset.assetId, at: undefined }, { replace: true });
  };
  const showDetails = () => {
    // Its folder is shown with it.
    if (place === null) return setSearch({ asset: undefined, details: assetId }, { replace: true });
    void finish();
    selection.choose(chooseOnly(place, assetId));
    commands.setDetailsOpen(true);
  };
  const copy = (command: CopyCommand) =>
    opened && commands.take({ command, asset: opened, shownIn: 'asset' });
  const missing = missingAsset(error);
  if (missing)
    return (
      <Suspense>
        <MissingAsset {...missing} onClose={close} />
      </Suspense>
    );
  const trash = () => {
    const next = shown[index + 1] ?? shown[index - 1];
    if (next) setSearch({ asset: next.assetId }, { replace: true });
    else void finish();
    commands.trash(assetId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isShortcut(event, 'details')) showDetails();
    else if (isShortcut(event, 'copy')) copy('copyLink');
    else if (isShortcut(event, 'trash') && scope.can('assets:write')) trash();
    else return;
    event.preventDefault();
    // The page around it has the same keys.
    event.stopPropagation();
  };
  if (slides.length === 0) return null;
  return (
    <Lightbox
      open
      close={() => void finish()}
      index={index}
      slides={slides}
      plugins={PLUGINS}
      portal={{ root: appRoot, container: { onKeyDown } }}
      on={{ view: ({ index: viewed }) => onView(viewed) }}
      carousel={{ finite: true, preload: 1, padding: '16px' }}
      animation={{ fade: 160, swipe: 200 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      zoom={{ maxZoomPixelRatio: 3, scrollToZoom: true }}
      video={{ controls: true, playsInline: true, preload: 'metadata' }}
      render={{ slideContainer: ({ slide, children }) => <Underlay slide={slide}>{children}</Underlay> }}
      labels={{
        Lightbox: opened?.title ?? t('label'),
        Close: t('close'),
        Previous: t('previous'),
        Next: t('next'),
        'Zoom in': t('zoomIn'),
        'Zoom out': t('zoomOut'),
        Carousel: t('carousel'),
      }}
      toolbar={{
        buttons: [
          <span key="title" className="lightbox-title">
            {opened?.title}
          </span>,
          <button
            key="copyId"
            type="button"
            className="yarl__button lightbox-copy-id"
            aria-label={t('copyId')}
            title={t('copyId')}
            onClick={() => copy('copyId')}
          >
            <Hash size={22} aria-hidden />
          </button>,
          <button
            key="copyLink"
            type="button"
            className="yarl__button"
            aria-label={t('copyLink')}
            title={t('copyLink')}
            onClick={() => copy('copyLink')}
          >
            <Link size={22} aria-hidden />
          </button>,
          <button
            key="details"
            type="button"
            className="yarl__button"
            aria-label={t('details')}
            title={t('details')}
            onClick={showDetails}
          >
            <Info size={22} aria-hidden />
          </button>,
          <button
            key="download"
            type="button"
            className="yarl__button"
            aria-label={t('download')}
            title={t('download')}
            onClick={() => download(downloadUrl(scope.basePath, assetId))}
          >
            <Download size={22} aria-hidden />
          </button>,
          'close',
        ],
      }}
    />
  );
}

/** Everything beside it becomes inert. Toasts and dialogs, which are outside, stay in use and above it. */
const appRoot = () => document.getElementById('root');

declare module 'yet-another-react-lightbox' {
  interface GenericSlide {
    /** Shown in the place of the large picture until that one is loaded. */
    readonly under?: { readonly sources: readonly string[]; readonly style: CSSProperties };
  }
}

/** The first frame shows what the grid has already loaded, over the placeholder; the large picture replaces it. */
function Underlay({ slide: { under }, children }: { slide: Slide; children?: ReactNode }) {
  return (
    <div className="lightbox-slide">
      {under && (
        <div className="lightbox-under">
          <div style={under.style}>
            {under.sources.map((source) => (
              <img key={source} src={source} alt="" decoding="sync" />
            ))}
          </div>
        </div>
      )}
      {children}
    </div>
  );
}

/** Only moves near its edges, so that the carousel is not rebuilt at every step. */
function useWindow(place: number | null, count: number): { start: number; end: number } {
  const [center, setCenter] = useState(place ?? 0);
  if (place !== null && Math.abs(place - center) > AROUND - MARGIN) setCenter(place);
  return { start: Math.max(0, center - AROUND), end: Math.min(count, center + AROUND + 1) };
}

function loadedBetween(start: number, end: number, assetAt: (index: number) => Asset | undefined): Asset[] {
  return Array.from({ length: end - start }, (_, step) => assetAt(start + step)).filter(
    (asset) => asset !== undefined,
  );
}

function slideOf(asset: Asset, basePath: string): Slide {
  const { width, height } = asset;
  if (isVideo(asset))
    return {
      type: 'video',
      width,
      height,
      poster: previewUrl(basePath, asset, 'large'),
      sources: [{ src: previewUrl(basePath, asset), type: asset.mimeType }],
    };
  const scale = Math.min(1, 1600 / Math.max(width, height));
  const large = {
    src: previewUrl(basePath, asset, 'large'),
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  };
  // The full-size picture is only fetched when the user zooms in.
  const whole = { src: previewUrl(basePath, asset), width, height };
  return {
    ...large,
    alt: asset.altText || asset.title,
    srcSet: scale < 1 ? [large, whole] : [large],
    under: underOf(asset, basePath),
  };
}

function underOf(asset: Asset, basePath: string): Slide['under'] {
  const thumb = previewUrl(basePath, asset, 'thumb');
  const small = previewUrl(basePath, asset, 'small');
  const size = { '--width': asset.width, '--height': asset.height };
  const hasPlaceholder = asset.placeholder && !isShownWhole(asset);
  return {
    sources: !wasShown(small) && wasShown(thumb) ? [thumb, small] : [small],
    style: { ...size, backgroundImage: hasPlaceholder ? placeholderOf(asset.placeholder!) : undefined },
  };
}
