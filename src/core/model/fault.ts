/**
 * Faults: the catalogue with HTTP status, nature and next step, the error class, and the result
 * type that contains a fault.
 */
import { CONFIG_FAULTS, INPUT_FAULTS } from './faults/config.ts';
import { DAEMON_FAULTS, HOST_FAULTS, VIEW_FAULTS } from './faults/daemon.ts';
import { FORGE_FAULTS, GIT_FAULTS } from './faults/forge.ts';
import { HTTP_FAULTS, JOURNAL_FAULTS } from './faults/http.ts';
import { OPERATOR_FAULTS, PREFLIGHT_FAULTS } from './faults/operator.ts';
import { GITHUB_FAULTS, LINEAR_FAULTS, TRACKER_FAULTS } from './faults/tracker.ts';
import { WORKER_FAULTS, WORKSPACE_FAULTS } from './faults/worker.ts';

/**
 * `terminal`: the same call fails again until something changes. `retryable`: the same call may
 * succeed later.
 */
type FaultNature = 'terminal' | 'retryable';

interface FaultEntry {
  readonly http: number;
  readonly nature: FaultNature;
  readonly meaning: string;
  readonly next: string;
}

type FaultEntries = Readonly<Record<string, FaultEntry>>;

/** One file per area. Codes are never renamed or reused, because scripts depend on them. */
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
} satisfies FaultEntries;

export type FaultCode = keyof typeof CATALOGUE;

/** A fault as the CLI, the API and the dashboard show it. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly next: string;
}

/** `detail` describes this occurrence; the catalogue says what the code means and what to do. */
export function createFault(code: FaultCode, detail: string, next: string = CATALOGUE[code].next): Fault {
  return { code, message: detail, next };
}

/** The step that is due instead of the requested one. */
export interface DueStep {
  readonly action: string;
  readonly mode: string;
  readonly reason: string;
}

interface LegionErrorOptions extends ErrorOptions {
  readonly retryAt?: number | undefined;
  readonly due?: DueStep | undefined;
  /** Overrides the catalogue's next step if the caller knows the situation better. */
  readonly next?: string;
}

/** A fault that is thrown by adapters and entry points. Pure modules return faults instead. */
export class LegionError extends Error {
  override readonly name = 'LegionError';
  readonly fault: Fault;
  /**
   * When a retry may succeed, in milliseconds since 1970. Undefined if the service gave no time.
   */
  readonly retryAt: number | undefined;
  /** Set if the request was refused because another step is due. */
  readonly due: DueStep | undefined;

  constructor(code: FaultCode, detail: string, options: LegionErrorOptions = {}) {
    super(detail, options);
    this.fault = createFault(code, detail, options.next);
    this.retryAt = options.retryAt;
    this.due = options.due;
  }

  get code(): FaultCode {
    return this.fault.code;
  }

  /** The catalogue decides whether a retry makes sense, not the text of a message. */
  get retryable(): boolean {
    return CATALOGUE[this.fault.code].nature === 'retryable';
  }
}

export function toError({ code, message, next }: Fault): LegionError {
  return new LegionError(code, message, { next });
}

/** The outcome of an operation whose failure the caller must handle. Pure modules never throw. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault };
}

/** Enough characters to recognise a value; a hostile one may be much longer. */
export const MAX_QUOTED_LENGTH = 40;

/**
 * Quotes and escapes text, so that control and right-to-left characters cannot disrupt a terminal
 * or log.
 */
export function quoteText(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e…]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
