/** A real daemon in a process of its own and a real Chromium on its dashboard: one of each for a whole file of tests. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import type { IssueView, NewIssueRequest } from '../../../src/protocol/board.ts';
import { launchChromium } from '../../support/chromium.ts';
import type { Door } from '../../support/http-client.ts';
import { type LegionOptions, type TestLegion, testLegion } from '../../support/running-daemon.ts';
import { type RunningApart, startApart } from '../../support/running-process.ts';
import { enter, type Visit } from './visit.ts';

/** What is waited for takes seconds on a quiet machine, and many times that where everything else runs too. */
const TEST_MOST_MS = 180_000;

export interface Stage {
  readonly legion: TestLegion;
  readonly daemon: RunningApart;
  readonly browser: Browser;
  /** Resolves to its id. */
  add(issue: Partial<NewIssueRequest>): Promise<string>;
  /** As `legion open` does it, in a browser that has never been here. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

interface StageOptions extends LegionOptions {
  /** Its daemon is started by the tests themselves. */
  readonly isDark?: boolean;
}

/** Call once at the top of a suite; what it gives is there while its tests run. */
export function stage(options: StageOptions): Stage {
  vi.setConfig({ testTimeout: TEST_MOST_MS, hookTimeout: TEST_MOST_MS });
  let legion: TestLegion | undefined;
  let daemon: RunningApart | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
    legion = await testLegion(options);
    if (options.isDark === true) return;
    daemon = await startApart(legion);
    await approveCommands(daemon);
  });
  afterAll(async () => {
    await browser?.close();
    await daemon?.stop();
    await legion?.endWorkers();
    legion?.dispose();
  });
  return {
    get legion() {
      return there(legion);
    },
    get daemon() {
      return there(daemon);
    },
    get browser() {
      return there(browser);
    },
    async add(issue) {
      const { id } = await there(daemon).post<IssueView>('/issues', issue);
      return id;
    },
    visit: (path, given) => enter(there(browser), there(daemon), path, given),
  };
}

/** Nothing of a repository runs before the operator has seen it; without its commands nothing is merged. */
async function approveCommands({ get, post }: Door): Promise<void> {
  const all = await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  for (const { repo, fingerprint, approved } of all)
    if (!approved) await post('/repositories/commands/approve', { repo, fingerprint });
}

/** The issue's card in the column of this name. */
export function cardIn(page: Page, column: string, id: string) {
  return page.getByRole('region', { name: new RegExp(`^${column}, `) }).locator(`[data-card="${id}"]`);
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is there only while the tests of its suite run');
  return value;
}
