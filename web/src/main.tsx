/** Starts the dashboard: removes the login code from the address, then renders. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
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
import { ROUTES } from './routes.tsx';
import { Gate } from './session/gate.tsx';
import { openSession, takeLoginCode } from './session/login.ts';
import { OpenPage } from './shell/open-page.tsx';
import { Shell } from './shell/shell.tsx';
import { applyTheme } from './theme/theme.ts';
import './styles/index.css';

const code = takeLoginCode();
// Logs in outside React, because React may run effects twice and a login code can be used only
// once.
const entering = code === null ? null : openSession(code);
applyTheme();
const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no root element for the dashboard');
createRoot(root).render(
  <StrictMode>
    <App client={openQueryClient()} entering={entering} />
  </StrictMode>,
);

interface AppProps {
  readonly client: QueryClient;
  /**
   * Settles when the login code has been exchanged for a session. Null if the address contained no
   * code.
   */
  readonly entering: Promise<void> | null;
}

/** Provides the context that every page uses. */
function App({ client, entering }: AppProps) {
  return (
    <QueryClientProvider client={client}>
      <Router base={BASE} aroundNav={openHref}>
        <Providers>
          <Gate entering={entering}>
            <LiveProvider>
              <Attention />
              <Shell routes={ROUTES}>
                <OpenPage routes={ROUTES} />
              </Shell>
            </LiveProvider>
          </Gate>
        </Providers>
      </Router>
    </QueryClientProvider>
  );
}

function Providers({ children }: { readonly children: ReactNode }) {
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
