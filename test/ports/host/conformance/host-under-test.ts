/** Interface through which the conformance suite tests a host on a machine. */
import type { Host, NewProcess } from '../../../../src/ports/host.ts';

export interface HostHarness {
  /** Opens another handle on the same host, as a restarted daemon would. */
  open(): Promise<Host>;
  /** A directory that workers may use and the test sees under the same path. */
  readonly workspace: string;
  /**
   * Starts the attempts one after the other from a separate process. The process then runs until it
   * is killed.
   */
  daemon(orders: readonly NewProcess[]): Promise<OtherDaemon>;
  /** Ends every process of every worker, and fails if one is still running. */
  dispose(): Promise<void>;
}

export interface OtherDaemon {
  /** Resolves when all attempts are started. */
  readonly started: Promise<void>;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/**
 * A variable of the daemon that no worker may see. The harness sets it wherever it opens a host.
 */
export const CANARY = { name: 'LEGION_TEST_CANARY', value: 'a-secret-of-the-daemon' } as const;

/** Returns the harness of the running test. */
export type Present = () => HostHarness;
