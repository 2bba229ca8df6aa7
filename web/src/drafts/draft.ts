/**
 * Keeps unsent text in this tab until it is sent. The text survives refetches, visits to other
 * pages and a reload.
 */
import { useState } from 'react';

const PREFIX = 'legion.draft.';

export interface TextDraft {
  readonly text: string;
  set(text: string): void;
}

/** `name` identifies the draft. Two boxes with the same name share one draft. */
export function useDraft(name: string): TextDraft {
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
    return ''; // without storage, the draft exists only as long as its text box
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === '') window.sessionStorage.removeItem(PREFIX + name);
    else window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // Without storage, the text is still in the box.
  }
}
