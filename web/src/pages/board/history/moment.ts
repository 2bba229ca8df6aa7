/** The selected past moment, kept in the address. */
import type { BoardMoment } from '../../../api/queries.ts';
import { setFields } from '../../../router/location.ts';

export function readMoment(fields: URLSearchParams): BoardMoment | undefined {
  const version = parseNumber(fields.get('version'));
  if (version !== undefined) return { version: Math.floor(version) };
  const at = parseNumber(fields.get('at'));
  return at === undefined ? undefined : { at };
}

/** Undefined selects the present. */
export function setMoment(moment: BoardMoment | undefined): void {
  const fields = { at: null, version: null, ...moment };
  setFields({
    at: fields.at === null ? null : String(Math.round(fields.at)),
    version: fields.version === null ? null : String(fields.version),
  });
}

function parseNumber(text: string | null): number | undefined {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
