/** Whether the operator has agreed to what real workers may do; followed while the daemon runs. */
import { unwatchFile, watchFile } from 'node:fs';
import { consentFile, findWidening, readConsent, trustAskedBy } from '../config/consent.ts';
import type { LegionConfig } from '../config/legion/schema.ts';
import { LegionError, toError } from '../core/model/fault.ts';
import type { Troubles } from './troubles.ts';

/** A person waits at the terminal; a look costs one stat. */
const LOOK_EVERY_MS = 2_000;
const ABOUT = 'consent';

export interface ConsentWatch {
  /** Whether real workers may start under the configuration of now. */
  isGiven(): boolean;
  /** Reports what is missing as one problem; call it after each change of the configuration. */
  report(): void;
  close(): void;
}

export interface ConsentOptions {
  readonly state: string;
  readonly config: () => LegionConfig;
  readonly troubles: Troubles;
  /** Somebody has agreed, or the record has gone. */
  readonly changed: () => void;
}

export function watchConsent({ state, config, troubles, changed }: ConsentOptions): ConsentWatch {
  const path = consentFile(state);
  let record = readConsent(state);

  function findMissing(): LegionError | undefined {
    const asked = trustAskedBy(config());
    if (asked === undefined) return undefined;
    if (!record.ok) return toError(record.fault);
    const wider = findWidening(asked, record.value);
    if (wider.length === 0) return undefined;
    const says = `No real worker starts before you agree to what it may do and spend: ${wider.join('; ')}.`;
    return new LegionError('consent.required', says);
  }

  function report(): void {
    const missing = findMissing();
    if (missing === undefined) troubles.clear(ABOUT);
    else troubles.raise(ABOUT, missing);
  }

  const onChange = () => {
    record = readConsent(state);
    report();
    changed();
  };
  watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
  report();
  return {
    isGiven: () => findMissing() === undefined,
    report,
    close: () => unwatchFile(path, onChange),
  };
}
