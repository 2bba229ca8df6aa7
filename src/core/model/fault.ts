/** Faults: the catalogue with HTTP status, nature and next step, the thrown form, and results that carry one. */
import { CONFIG_FAULTS } from '../../domain/faults/config.ts';
import { DAEMON_FAULTS } from '../../domain/faults/daemon.ts';
import { FORGE_FAULTS } from '../../domain/faults/forge.ts';
import { GIT_FAULTS } from '../../domain/faults/git.ts';
import { GITHUB_FAULTS } from '../../domain/faults/github.ts';
import { HOST_FAULTS } from '../../domain/faults/host.ts';
import { HTTP_FAULTS } from '../../domain/faults/http.ts';
import { INPUT_FAULTS } from '../../domain/faults/input.ts';
import { JOURNAL_FAULTS } from '../../domain/faults/journal.ts';
import { LINEAR_FAULTS } from '../../domain/faults/linear.ts';
import { OPERATOR_FAULTS } from '../../domain/faults/operator.ts';
import { PREFLIGHT_FAULTS } from '../../domain/faults/preflight.ts';
import { TRACKER_FAULTS } from '../../domain/faults/tracker.ts';
import { VIEW_FAULTS } from '../../domain/faults/view.ts';
import { WORKER_FAULTS } from '../../domain/faults/worker.ts';
import { WORKSPACE_FAULTS } from '../../domain/faults/workspace.ts';

/** By area, a file each. Codes are never renamed or reused: scripts depend on them. */
export const CATALOGUE = {
  ...INPUT_FAULTS,
  ...CONFIG_FAULTS,
  ...JOURNAL_FAULTS,
  ...TRACKER_FAULTS,
  ...GIT_FAULTS,
  ...GITHUB_FAULTS,
  ...LINEAR_FAULTS,
  ...FORGE_FAULTS,
  ...HOST_FAULTS,
  ...WORKSPACE_FAULTS,
  ...WORKER_FAULTS,
  ...PREFLIGHT_FAULTS,
  ...OPERATOR_FAULTS,
  ...DAEMON_FAULTS,
  ...HTTP_FAULTS,
  ...VIEW_FAULTS,
};

export type FaultCode = keyof typeof CATALOGUE;

/** One fault as every door shows it. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly next: string;
}

/** `detail` says what it was this time; the catalogue says what that means and what to do. */
export function fault(code: FaultCode, detail: string, next: string = CATALOGUE[code].next): Fault {
  return { code, message: detail, next };
}

interface LegionErrorOptions extends ErrorOptions {
  readonly retryAt?: number;
  /** In place of the catalogue's next step, where the situation is known better. */
  readonly next?: string;
}

/** The thrown form of a fault, for adapters and doors; the pure rooms return faults instead. */
export class LegionError extends Error {
  override readonly name = 'LegionError';
  readonly fault: Fault;
  /** When the same may be tried again, in milliseconds since 1970, where the other side has said so. */
  readonly retryAt: number | undefined;

  constructor(code: FaultCode, detail: string, options: LegionErrorOptions = {}) {
    super(detail, options);
    this.fault = fault(code, detail, options.next);
    this.retryAt = options.retryAt;
  }

  get code(): FaultCode {
    return this.fault.code;
  }

  /** A type decides whether to try again, not a word in a message. */
  get retryable(): boolean {
    return CATALOGUE[this.fault.code].nature === 'retryable';
  }
}

export function toError({ code, message, next }: Fault): LegionError {
  return new LegionError(code, message, { next });
}

/** The outcome of something that may fail for a reason the caller must see; the pure rooms never throw. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failed(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault };
}

/** Enough to recognise a value by; the rest of a hostile one helps nobody. */
export const SHOWN_LENGTH = 40;

/** Escaped, so that control and right-to-left characters cannot disturb the terminal or log that shows it. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e…]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
