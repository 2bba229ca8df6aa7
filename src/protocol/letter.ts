/** A letter: something said to a session while it is at work, kept as a file until the session can hear it. */
import { z } from 'zod';
import type { Result } from '../core/model/fault.ts';
import { decodeJson } from '../domain/decode.ts';

/** In a worker's environment: the folder its letters come to. */
export const LETTERS_VARIABLE = 'LEGION_LETTERS';

/** An id becomes a file's name; names sort in the order in which the letters were written. */
const ID = /^[0-9A-Za-z-]{1,64}$/;
const NAME = /^[0-9A-Za-z-]{1,64}\.json$/;

/** Digits of a message's number, so that names sort by it. */
const NUMBER_DIGITS = 12;

const letterSchema = z.strictObject({
  id: z.string().regex(ID),
  text: z.string(),
  /** The present turn is to be cut short for it. */
  interrupt: z.boolean(),
});
export type Letter = z.output<typeof letterSchema>;

export function letterId(message: number): string {
  return String(message).padStart(NUMBER_DIGITS, '0');
}

/** The number a letter's id was made from. */
export function messageOfLetter(id: string): number {
  return Number(id);
}

export function letterName({ id }: Pick<Letter, 'id'>): string {
  return `${id}.json`;
}

/** Everything else in the folder is no letter, such as a draft that was never finished. */
export function isLetterName(name: string): boolean {
  return NAME.test(name);
}

export function readLetter(text: string, name: string): Result<Letter> {
  return decodeJson(letterSchema, text, name);
}
