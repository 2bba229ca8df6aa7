/** The session of the logged-in person, which `Gate` provides to every page. */
import { createContext, useContext } from 'react';
import type { SessionView } from '../../../src/protocol/dashboard.ts';

interface ActiveSession extends SessionView {
  leave(): void;
}

export const SessionContext = createContext<ActiveSession | null>(null);

export function useSession(): ActiveSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession was called outside the session gate');
  return session;
}
