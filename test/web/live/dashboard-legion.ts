/** A real daemon process and a real Chromium on its dashboard: one of each per test file. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import type { IssueView, NewIssueRequest } from '../../../src/protocol/board.ts';
import { launchChromium } from '../../support/chromium.ts';
import type { ApiClient } from '../../support/http-client.ts';
import { createTestLegion, type LegionOptions, type TestLegion } from '../../support/running-daemon.ts';
import { type RunningProcess, startDaemonProcess } from '../../support/running-process.ts';
import { openDashboard, type Visit } from './visit.ts';

/** Tests take seconds on an idle machine, and many times that under load. */
const MAX_TEST_MS = 180_000;

export interface DashboardSuite {
  readonly legion: TestLegion;
  readonly daemon: RunningProcess;
  readonly browser: Browser;
  /** Resolves to the issue's id. */
  add(issue: Partial<NewIssueRequest>): Promise<string>;
  /** Opens the dashboard as `legion open` does, in a fresh browser context. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

interface DashboardSuiteOptions extends LegionOptions {
  /** If true, `setUpDashboard` starts no daemon, because the tests start it themselves. */
  readonly isStopped?: boolean;
}

/** Call once at the top of a suite. The returned object is usable while the suite's tests run. */
export function setUpDashboard(options: DashboardSuiteOptions): DashboardSuite {
  vi.setConfig({ testTimeout: MAX_TEST_MS, hookTimeout: MAX_TEST_MS });
  let legion: TestLegion | undefined;
  let daemon: RunningProcess | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
    legion = await createTestLegion(options);
    if (options.isStopped === true) return;
    daemon = await startDaemonProcess(legion);
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
      return requireOpen(legion);
    },
    get daemon() {
      return requireOpen(daemon);
    },
    get browser() {
      return requireOpen(browser);
    },
    async add(issue) {
      const { id } = await requireOpen(daemon).post<IssueView>('/issues', issue);
      return id;
    },
    visit: (path, given) => openDashboard(requireOpen(browser), requireOpen(daemon), path, given),
  };
}

/** Approves the repository's commands. Without approval, no command runs and nothing is merged. */
async function approveCommands({ get, post }: ApiClient): Promise<void> {
  const all = await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  for (const { repo, fingerprint, approved } of all)
    if (!approved) await post('/repositories/commands/approve', { repo, fingerprint });
}

/** The issue's card in the named column. */
export function findCard(page: Page, column: string, id: string) {
  return page.getByRole('region', { name: new RegExp(`^${column}, `) }).locator(`[data-card="${id}"]`);
}

function requireOpen<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the stage is available only while its suite runs');
  return value;
}
