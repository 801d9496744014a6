// First, so that every component can override them.
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { embedToken } from './browser/embed-token';
import { preloadSignedInPages } from './router/load-signed-in-pages';
import { Providers } from './router/Providers';
import { applyTheme } from './shell/theme';
import { prepareMessages } from './i18n/messages';
import { session } from './api/session-store';

embedToken.take();
applyTheme();
if (session.visitedBefore() && !embedToken.isExpected()) preloadSignedInPages();
await prepareMessages();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id "root"');
createRoot(container).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
