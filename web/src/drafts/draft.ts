/** What somebody has begun to write: kept in this tab until it is sent, through refreshes, other pages and a reload. */
import { useState } from 'react';

const PREFIX = 'legion.draft.';

export interface Draft {
  readonly text: string;
  set(text: string): void;
}

/** `name` says what it is about; two boxes of one name would share it. */
export function useDraft(name: string): Draft {
  const [text, setText] = useState(() => readDraft(name));
  return {
    text,
    set(next) {
      setText(next);
      keep(name, next);
    },
  };
}

export function hasDraft(name: string): boolean {
  return readDraft(name).trim() !== '';
}

function readDraft(name: string): string {
  try {
    return window.sessionStorage.getItem(PREFIX + name) ?? '';
  } catch {
    return ''; // a browser without storage keeps it as long as the box is there
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === '') window.sessionStorage.removeItem(PREFIX + name);
    else window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // The same: what is typed is still in the box.
  }
}
