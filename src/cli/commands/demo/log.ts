/** The demo as a log: a line for each step, with the seconds since it began. */
import type { Writable } from 'node:stream';
import { type Line, plain, rendered } from '../../present/line.ts';
import { type Show, SILENT } from './show.ts';
import { clock, personLine, toldLine } from './words.ts';

/** Wide enough for a whole sentence: nobody cuts a log. */
const LOG_COLUMNS = 400;

export function openLog(stdout: Writable): Show {
  const began = Date.now();
  const print = (line: Line, at = Date.now()) =>
    stdout.write(`${rendered([clock(at - began), ...line], LOG_COLUMNS)}\n`);
  return {
    ...SILENT,
    step: (text) => print([plain(`demo    ${text}`)]),
    person: (issue, text) => print(personLine(issue, text)),
    told: (sentence, at) => print(toldLine(sentence), at),
  };
}
