import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type AgentTrust,
  consentFile,
  findWidening,
  readConsent,
  recordConsent,
  trustAskedBy,
} from '../../src/config/consent.ts';
import { withBudgets } from '../../src/config/legion/write-budgets.ts';
import { useFolder } from './folder.ts';
import { accepted, resolving } from './resolving.ts';

const TRUST: AgentTrust = {
  agents: ['codex'],
  isolation: 'none',
  budgets: { issueUsd: 10, dayUsd: 50, issueTokens: 10_000_000, dayTokens: 50_000_000 },
};
const inFolder = useFolder();
const GIVEN = { by: 'ada', at: 1 };
const askedBy = (text: string) => trustAskedBy(accepted(resolving(text)).config);

test('a configuration asks for its real agents and budgets, and the scripted one for nothing', () => {
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
  ['the same', {}, []],
  ['less', { budgets: { ...TRUST.budgets, dayUsd: 0, issueUsd: 1 } }, []],
  ['another agent', { agents: ['claude-code'] }, ['claude-code may work, too']],
  ['more money', { budgets: { ...TRUST.budgets, dayUsd: 51 } }, ['budgets.day.usd rises from 50 to 51']],
  [
    'no limit',
    { budgets: { ...TRUST.budgets, issueTokens: 'none' } },
    ['budgets.issue.tokens rises from 10000000 to none'],
  ],
])('%s is asked for again only where it widens', (_, change, wider) => {
  expect(findWidening({ ...TRUST, ...change }, TRUST)).toEqual(wider);
});

test('a consent is kept for its owner alone, and one that others could change counts for nothing', () => {
  const folder = inFolder();
  expect(readConsent(folder)).toEqual({ ok: true, value: undefined });
  expect(findWidening(TRUST, undefined)).toEqual(['nobody has agreed to it yet']);
  expect(recordConsent(folder, TRUST, GIVEN).ok).toBe(true);
  expect(readConsent(folder)).toEqual({ ok: true, value: TRUST });
  expect(statSync(consentFile(folder)).mode & 0o777).toBe(0o600);
  chmodSync(consentFile(folder), 0o622);
  expect(readConsent(folder)).toMatchObject({ ok: false, fault: { code: 'consent.invalid' } });
  chmodSync(consentFile(folder), 0o600);
  writeFileSync(consentFile(folder), '{"version":1}');
  expect(readConsent(folder)).toMatchObject({ ok: false, fault: { code: 'consent.invalid' } });
});

test('budgets are put into a file, and everything else in it stays', () => {
  const text = '# mine\nlegion: shop # tea\nbudgets: { worker: { turns: 3 } }\n';
  const next = withBudgets(text, { issueUsd: 5, dayUsd: 'none' });
  expect(next).toContain('# mine\nlegion: shop # tea\n');
  const { config } = accepted(resolving(next));
  expect(config.budgets).toMatchObject({ worker: { turns: 3 }, issue: { usd: 5 }, day: { usd: 'none' } });
});
