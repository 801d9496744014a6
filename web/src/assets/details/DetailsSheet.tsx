import { Suspense } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { useTranslations } from '../../i18n';
import { Drawer } from '../../ui/Drawer';

const DetailsPanel = lazyWithTexts(() => import('./DetailsPanel'));

export interface DetailsSheetProps {
  readonly isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The details on a phone: a bottom sheet. */
export default function DetailsSheet({ isOpen, onOpenChange }: DetailsSheetProps) {
  const t = useTranslations('assets.toolbar');
  return (
    <Drawer label={t('details')} side="bottom" isOpen={isOpen} onOpenChange={onOpenChange}>
      <Suspense>
        <DetailsPanel />
      </Suspense>
    </Drawer>
  );
}
