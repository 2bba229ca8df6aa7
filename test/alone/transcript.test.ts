import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Life, stage } from '../e2e/support/legion.ts';

const begin = stage();

const REPORTS = [{ handoff: 'specified' }, { done: 'specified' }];
const RULES = [
  { phase: 'architect', title: 'flood', steps: [{ flood: { bytes: '10MB' } }, ...REPORTS] },
  { phase: 'architect', steps: REPORTS },
];
/** Of 10 MB each, and as many issues whose workers say hardly anything. */
const TRANSCRIPTS = 6;
/** A heap breathes; six transcripts that were kept would be sixty. */
const BREATH_MB = 20;

test('what agents write does not add to the memory of the daemon', async () => {
  const life = await begin({ scenario: RULES });
  await life.stop();
  await life.startApart();
  // The first one lets the daemon grow to its usual size.
  await specified(life, 'Quiet');
  const quiet = await growth(life, 'Quiet');
  const flooded = await growth(life, 'A flood');
  expect(flooded - quiet, `${quiet} MB without, ${flooded} MB with transcripts`).toBeLessThan(BREATH_MB);
});

/** In MB, over some issues with this title. */
async function growth(life: Life, title: string): Promise<number> {
  const before = await residentMb(life);
  for (let written = 0; written < TRANSCRIPTS; written += 1) await specified(life, title);
  return (await residentMb(life)) - before;
}

async function specified(life: Life, title: string): Promise<void> {
  const issue = await life.add({ title });
  await life.untilIssue(
    issue,
    'past the architect',
    ({ status }) => status !== 'Triage' && status !== 'Backlog',
  );
}

async function residentMb({ door }: Life): Promise<number> {
  const { pid } = await door.get<{ pid: number }>('/health');
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1_024);
}
