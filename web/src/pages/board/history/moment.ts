/** The moment of the past that is looked at, as it stands in the address. */
import type { Moment } from '../../../api/queries.ts';
import { setFields } from '../../../router/location.ts';

export function readMoment(fields: URLSearchParams): Moment | undefined {
  const version = numberIn(fields.get('version'));
  if (version !== undefined) return { version: Math.floor(version) };
  const at = numberIn(fields.get('at'));
  return at === undefined ? undefined : { at };
}

/** Undefined is the present. */
export function lookAt(moment: Moment | undefined): void {
  const fields = { at: null, version: null, ...moment };
  setFields({
    at: fields.at === null ? null : String(Math.round(fields.at)),
    version: fields.version === null ? null : String(fields.version),
  });
}

function numberIn(text: string | null): number | undefined {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
