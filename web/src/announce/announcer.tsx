/** Announces important changes to screen readers. */
import { createContext, type ReactNode, useContext, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => {});

export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext);
}

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [announcement, setAnnouncement] = useState({ text: '', turn: 0 });
  const [announce] = useState(
    () => (text: string) => setAnnouncement(({ turn }) => ({ text, turn: turn + 1 })),
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      {/* Alternates between two regions, because a screen reader announces a repeated sentence only if the text of a region changes. */}
      <div className="announcer">
        <div className="unseen" aria-live="polite">
          {announcement.turn % 2 === 0 ? announcement.text : ''}
        </div>
        <div className="unseen" aria-live="polite">
          {announcement.turn % 2 === 1 ? announcement.text : ''}
        </div>
      </div>
    </AnnounceContext>
  );
}
