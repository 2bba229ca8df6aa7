/** Says aloud, through a screen reader, what changed and matters and cannot be seen by its listener. */
import { createContext, type ReactNode, useContext, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => {});

export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext);
}

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  const [announce] = useState(() => (text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })));
  return (
    <AnnounceContext value={announce}>
      {children}
      {/* Two regions in turn: a screen reader repeats a sentence only when the text of a region changes. */}
      <div className="announcer">
        <div className="unseen" aria-live="polite">
          {said.turn % 2 === 0 ? said.text : ''}
        </div>
        <div className="unseen" aria-live="polite">
          {said.turn % 2 === 1 ? said.text : ''}
        </div>
      </div>
    </AnnounceContext>
  );
}
