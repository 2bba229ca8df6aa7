/** Tabs: arrow keys move between them, and only the selected tab's content is rendered. */
import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface TabsProps {
  readonly name: string;
  readonly tabs: readonly { readonly id: string; readonly label: ReactNode }[];
  readonly chosen: string;
  onChoose(id: string): void;
  /** Content of the selected tab. */
  readonly children: ReactNode;
}

export function Tabs({ name, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const index = tabs.findIndex((tab) => tab.id === chosen);
    const next = tabs.at((index + step) % tabs.length);
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={name} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
