/** Where the dashboard begins: the code leaves the address first, then everything is drawn. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { AnnouncerProvider } from './announce/announcer.tsx';
import { openQueryClient } from './api/query-client.ts';
import { Attention } from './attention/attention.tsx';
import { ClockProvider } from './clock/clock.tsx';
import { ConfirmProvider } from './components/confirm.tsx';
import { ToastProvider } from './components/toast.tsx';
import { ShortcutProvider } from './keys/shortcuts.tsx';
import { LiveProvider } from './live/live.tsx';
import { BASE, openHref } from './router/location.ts';
import { enter, takeCode } from './session/enter.ts';
import { Gate } from './session/gate.tsx';
import { OpenPage } from './shell/open-page.tsx';
import { Shell } from './shell/shell.tsx';
import { applyTheme } from './theme/theme.ts';
import './styles/index.css';

const code = takeCode();
// Outside of React, which may begin its effects twice: a code works once.
const entering = code === null ? null : enter(code);
applyTheme();
const place = document.getElementById('app');
if (place === null) throw new Error('index.html has no place for the dashboard');
createRoot(place).render(
  <StrictMode>
    <App client={openQueryClient()} entering={entering} />
  </StrictMode>,
);

interface AppProps {
  readonly client: QueryClient;
  /** Settled when the code of the address has become a session; null where there was none. */
  readonly entering: Promise<void> | null;
}

/** Provides what every page of the dashboard uses. */
function App({ client, entering }: AppProps) {
  return (
    <QueryClientProvider client={client}>
      <Router base={BASE} aroundNav={openHref}>
        <Surroundings>
          <Gate entering={entering}>
            <LiveProvider>
              <Attention />
              <Shell>
                <OpenPage />
              </Shell>
            </LiveProvider>
          </Gate>
        </Surroundings>
      </Router>
    </QueryClientProvider>
  );
}

function Surroundings({ children }: { readonly children: ReactNode }) {
  return (
    <AnnouncerProvider>
      <ClockProvider>
        <ShortcutProvider>
          <ToastProvider>
            <ConfirmProvider>{children}</ConfirmProvider>
          </ToastProvider>
        </ShortcutProvider>
      </ClockProvider>
    </AnnouncerProvider>
  );
}
