import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type AgentTrust,
  findWidening,
  readConsent,
  recordConsent,
  resolveConsentFile,
  toRequestedTrust,
} from '../../src/config/consent.ts';
import { withBudgets } from '../../src/config/legion/write.ts';
import { useFolder } from './folder.ts';
import { accepted, resolving } from './resolving.ts';

const TRUST: AgentTrust = {
  agents: ['codex'],
  isolation: 'none',
  budgets: { issueUsd: 10, dayUsd: 50, issueTokens: 10_000_000, dayTokens: 50_000_000 },
};
const inFolder = useFolder();
const GIVEN = { by: 'ada', at: 1 };
const askedBy = (text: string) => toRequestedTrust(accepted(resolving(text)).config);

test('a configuration requires consent for the use of real agents and for its budgets, but not for the scripted agent', () => {
  expect(askedBy('agents: { default: { agent: codex } }')).toEqual(TRUST);
  expect(askedBy('agents: { default: { agent: scripted } }\nscripted: allowed')).toBeUndefined();
  expect(askedBy('')).toBeUndefined();
  expect(
    askedBy(
      'agents: { default: { agent: codex }, plan: { agent: claude-code } }\nbudgets: { day: { usd: none } }',
    ),
  ).toMatchObject({ agents: ['claude-code', 'codex'], budgets: { dayUsd: 'none' } });
});

test.each<[string, Partial<AgentTrust>, string[]]>([
  ['no change', {}, []],
  ['lower budgets', { budgets: { ...TRUST.budgets, dayUsd: 0, issueUsd: 1 } }, []],
  ['another agent', { agents: ['claude-code'] }, ['claude-code would also be allowed to run']],
  ['a higher budget', { budgets: { ...TRUST.budgets, dayUsd: 51 } }, ['budgets.day.usd rises from 50 to 51']],
  [
    'no limit',
    { budgets: { ...TRUST.budgets, issueTokens: 'none' } },
    ['budgets.issue.tokens rises from 10000000 to none'],
  ],
])('requires new consent only if the configuration allows more than before: %s', (_, change, wider) => {
  expect(findWidening({ ...TRUST, ...change }, TRUST)).toEqual(wider);
});

test('stores a consent in a file that only its owner can access, and rejects a file that others can change', () => {
  const folder = inFolder();
  expect(readConsent(folder)).toEqual({ ok: true, value: undefined });
  expect(findWidening(TRUST, undefined)).toEqual(['no consent is recorded yet']);
  expect(recordConsent(folder, TRUST, GIVEN).ok).toBe(true);
  expect(readConsent(folder)).toEqual({ ok: true, value: TRUST });
  expect(statSync(resolveConsentFile(folder)).mode & 0o777).toBe(0o600);
  chmodSync(resolveConsentFile(folder), 0o622);
  expect(readConsent(folder)).toMatchObject({ ok: false, fault: { code: 'consent.invalid' } });
  chmodSync(resolveConsentFile(folder), 0o600);
  writeFileSync(resolveConsentFile(folder), '{"version":1}');
  expect(readConsent(folder)).toMatchObject({ ok: false, fault: { code: 'consent.invalid' } });
});

test('writes budgets into a file and leaves everything else in it unchanged', () => {
  const text = '# mine\nlegion: shop # tea\nbudgets: { worker: { turns: 3 } }\n';
  const next = withBudgets(text, { issueUsd: 5, dayUsd: 'none' });
  expect(next).toContain('# mine\nlegion: shop # tea\n');
  const { config } = accepted(resolving(next));
  expect(config.budgets).toMatchObject({ worker: { turns: 3 }, issue: { usd: 5 }, day: { usd: 'none' } });
});
