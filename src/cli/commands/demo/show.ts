/** The way from what happens in a demo to whoever watches it. */
import type { Chronicle } from '../../../demo/history.ts';
import type { Told } from '../../../demo/telling.ts';

export interface Show {
  /** The demo itself does something. */
  step(text: string): void;
  /** The person does something, on an issue or on the whole. */
  person(issue: string | undefined, text: string): void;
  told(sentence: Told, at: number): void;
  board(chronicle: Chronicle): void;
  /** Gives the terminal back; may be called twice. */
  close(): void;
}

export const SILENT: Show = {
  step: () => undefined,
  person: () => undefined,
  told: () => undefined,
  board: () => undefined,
  close: () => undefined,
};
