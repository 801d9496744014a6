import { Compass } from 'lucide-react';
import { useLocation } from '@tanstack/react-router';
import { sideOf, useSessionState } from '../api/use-session';
import { useScopeIfAny } from '../scope/scope';
import { useTranslations } from '../i18n';
import { ButtonLink } from '../ui/ButtonLink';
import { libraryPath } from './library-path';
import { MissingPage } from './MissingPage';

export default function NotFoundPage() {
  const t = useTranslations('missing');
  const scope = useScopeIfAny();
  const { user } = useSessionState();
  const isOfPortal =
    useLocation().pathname.startsWith('/library') && user !== null && sideOf(user) === 'admin';
  return (
    <MissingPage
      icon={<Compass />}
      title={t('title')}
      action={
        <ButtonLink href={scope ? libraryPath(scope) : '/'} variant="primary">
          {t(scope ? 'library' : 'home')}
        </ButtonLink>
      }
    >
      {t(isOfPortal ? 'portal' : 'text')}
    </MissingPage>
  );
}
