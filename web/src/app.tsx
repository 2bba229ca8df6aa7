/** The dashboard put together: what every page may use around the page that is open. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { AnnouncerProvider } from './announce/announcer.tsx';
import { Attention } from './attention/attention.tsx';
import { ClockProvider } from './clock/clock.tsx';
import { ConfirmProvider } from './components/confirm.tsx';
import { ToastProvider } from './components/toast.tsx';
import { ShortcutProvider } from './keys/shortcuts.tsx';
import { LiveProvider } from './live/live.tsx';
import { BASE, openHref } from './router/location.ts';
import { Gate } from './session/gate.tsx';
import { OpenPage } from './shell/open-page.tsx';
import { Shell } from './shell/shell.tsx';

interface AppProps {
  readonly client: QueryClient;
  /** Settled when the code of the address has become a session; null where there was none. */
  readonly entering: Promise<void> | null;
}

export function App({ client, entering }: AppProps) {
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
