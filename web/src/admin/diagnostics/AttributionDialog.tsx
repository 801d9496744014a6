import { useMutation } from '@tanstack/react-query';
import { Form } from 'react-aria-components/Form';
import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { authorizedFetch } from '../../api/authorized-fetch';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { ProblemNote } from '../../ui/ErrorState';
import { TextField } from '../../ui/TextField';
import styles from './Diagnostics.module.css';
import { rawTextIn } from '../../ui/form-text';

const EXAMPLE = '?utm_source=newsletter&utm_medium=email&utm_campaign=autumn';

/** Shows how a visit through a given link would be attributed. Nothing is recorded. */
export function AttributionDialog({
  page,
  onClose,
}: {
  page: Schemas['LandingPageDto'];
  onClose: () => void;
}) {
  const t = useTranslations('admin.landingPages');
  const test = useMutation({ mutationFn: (link: string) => attribute(page.slug, link) });
  return (
    <Dialog title={t('testTitle', { name: page.name })} isOpen onOpenChange={onClose}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate(rawTextIn(new FormData(event.currentTarget), 'link'));
        }}
      >
        <TextField
          className={styles.grow}
          name="link"
          label={t('link')}
          description={t('linkHint')}
          defaultValue={`${page.url}${EXAMPLE}`}
          missing={t('linkMissing')}
          autoFocus
        />
        <Button type="submit" variant="primary" isPending={test.isPending}>
          {t('test')}
        </Button>
      </Form>
      {test.error && <ProblemNote error={test.error} />}
      {test.data && (
        <div role="status">
          <Attribution attribution={test.data} />
        </div>
      )}
    </Dialog>
  );
}

function Attribution({ attribution }: { attribution: Schemas['AttributionDto'] }) {
  const t = useTranslations('admin.landingPages');
  const found = { ...attribution.utm, ...attribution.clickIds };
  return (
    <dl className={styles.facts}>
      <dt>{t('channel')}</dt>
      <dd>
        <strong>{attribution.channel}</strong>
      </dd>
      <dt>{t('source')}</dt>
      <dd>{attribution.source}</dd>
      <dt>{t('medium')}</dt>
      <dd>{attribution.medium}</dd>
      <dt>{t('campaign')}</dt>
      <dd>{attribution.campaign ?? '–'}</dd>
      <dt>{t('parameters')}</dt>
      <dd>
        {Object.entries(found).map(([name, value]) => (
          <div key={name}>
            <code>
              {name}={value}
            </code>
          </div>
        ))}
        {Object.keys(found).length === 0 && t('noParameters')}
      </dd>
    </dl>
  );
}

/** Only the link's parameters count: a page cannot pretend to come from another site, so no referrer is sent. */
async function attribute(slug: string, link: string): Promise<Schemas['AttributionDto']> {
  const query = link.includes('?') ? link.slice(link.indexOf('?')).split('#', 1)[0] : '';
  const request = new Request(`/lp-api/${encodeURIComponent(slug)}${query}`, {
    referrerPolicy: 'no-referrer',
  });
  const response = await authorizedFetch(request);
  return (await response.json()) as Schemas['AttributionDto'];
}
