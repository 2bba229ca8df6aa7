import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setUpDaemons, type TestDaemon } from '../e2e/support/legion.ts';

const startDaemon = setUpDaemons();

const REPORTS = [{ handoff: 'specified' }, { done: 'specified' }];
const RULES = [
  { phase: 'architect', title: 'flood', steps: [{ flood: { bytes: '10MB' } }, ...REPORTS] },
  { phase: 'architect', steps: REPORTS },
];
/** Number of 10 MB transcripts. The same number of issues have workers that print almost nothing. */
const TRANSCRIPTS = 6;
/** Normal fluctuation of the heap in MB. Keeping the six transcripts in memory would add sixty. */
const BREATH_MB = 20;

test("agent output does not increase the daemon's memory use", async () => {
  const daemon = await startDaemon({ scenario: RULES });
  await daemon.stop();
  await daemon.startProcess();
  // The first issue lets the daemon grow to its usual size.
  await specified(daemon, 'Quiet');
  const quiet = await growth(daemon, 'Quiet');
  const flooded = await growth(daemon, 'A flood');
  expect(
    flooded - quiet,
    `memory growth of ${quiet} MB without transcripts, ${flooded} MB with them`,
  ).toBeLessThan(BREATH_MB);
});

/** Returns how much the daemon's memory grows, in MB, over several issues with this title. */
async function growth(daemon: TestDaemon, title: string): Promise<number> {
  const before = await residentMb(daemon);
  for (let written = 0; written < TRANSCRIPTS; written += 1) await specified(daemon, title);
  return (await residentMb(daemon)) - before;
}

async function specified(daemon: TestDaemon, title: string): Promise<void> {
  const issue = await daemon.add({ title });
  await daemon.untilIssue(
    issue,
    'past the architect',
    ({ status }) => status !== 'Triage' && status !== 'Backlog',
  );
}

async function residentMb({ client }: TestDaemon): Promise<number> {
  const { pid } = await client.get<{ pid: number }>('/health');
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1_024);
}
