/** Shown when a page's files did not arrive: waits for the daemon, then loads the page again by itself. */
import { useEffect, useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { reloadOnce } from '../router/lazy-page.ts';
import { hrefOf } from '../router/location.ts';

/** A daemon restarts in about a second; asking a machine's own daemon costs little. */
const PROBE_EVERY_MS = 1_000;

export function PageNotLoaded({ error }: { readonly error: Error }) {
  const [isBroken, setIsBroken] = useState(false);
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const probe = async () => {
      const isThere = await answers();
      if (isOver) return;
      if (isThere) return setIsBroken(!reloadOnce());
      setIsAway(true);
      timer = setTimeout(probe, PROBE_EVERY_MS);
    };
    void probe();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);

  if (isBroken) {
    return (
      <ErrorState
        error={error}
        title="This page could not be loaded"
        onRetry={() => window.location.reload()}
      />
    );
  }
  if (!isAway) return null;
  return (
    <EmptyState icon="clock" title="The daemon is not running">
      <p>This page opens by itself as soon as the daemon is back. If it was stopped, start it:</p>
      <pre className="command">
        <code>legion up</code>
      </pre>
      <p className="outside-waiting" role="status">
        <span className="pulse" aria-hidden="true" /> Reconnecting
      </p>
    </EmptyState>
  );
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(hrefOf('/'), { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
