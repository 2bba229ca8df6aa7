/**
 * Simulates the person who uses an external board. Clarifies, answers and approves once each, until
 * all issues are done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NumberedStory } from '../../src/demo/stories.ts';
import type { DaemonProcess } from '../support/legion-process.ts';

const POLL_MS = 100;
/** Six issues take about 45 s on two busy cores. */
const MAX_WAIT_MS = 240_000;

interface SeenOnBoard {
  readonly id: string;
  readonly status: string | null | undefined;
  readonly labels: readonly string[];
  readonly isOver: boolean;
}

export interface PersonBoard {
  listIssues(): readonly SeenOnBoard[];
  comment(id: string, text: string): void;
  approve(id: string): void;
}

/**
 * Acts as the person until all issues are done. `meanwhile` runs on each pass, for additional
 * actions.
 */
export async function completeIssuesOn(
  daemon: DaemonProcess,
  { listIssues, comment, approve }: PersonBoard,
  stories: readonly NumberedStory[],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const done = new Set<string>();
  const isPlayed = (id: string) => stories.some((story) => story.id === id);
  const once = (what: string, act: () => void) => {
    if (done.has(what)) return;
    done.add(what);
    act();
  };
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const seen = listIssues();
    for (const { id, labels, status } of seen) {
      const { clarification, answer = '' } = stories.find((story) => story.id === id) ?? {};
      if (clarification !== undefined && status === 'Icebox')
        once(`clarify ${id}`, () => comment(id, clarification));
      if (labels.includes('user-input-needed') && answer !== '')
        once(`answer ${id}`, () => comment(id, answer));
      if (labels.includes('needs-approval')) once(`approve ${id}`, () => approve(id));
    }
    if (seen.filter(({ id }) => isPlayed(id)).every(({ isOver }) => isOver)) return;
    if (performance.now() > deadline) throw new Error(`not Done in time:\n${await told(daemon, seen)}`);
    await meanwhile();
    await sleep(POLL_MS);
  }
}

/** Describes the state for a test that timed out. */
async function told(daemon: DaemonProcess, seen: readonly SeenOnBoard[]): Promise<string> {
  const events = await daemon.events().catch((error: unknown) => [String(error)]);
  const lines = [...seen, ...events.slice(-40), ...daemon.client.log.slice(-20)];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
