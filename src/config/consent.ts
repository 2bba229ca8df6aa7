/** What the operator agreed to before a real worker starts; kept in a file of the legion's state folder. */
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../core/model/fault.ts';
import { usesOf } from './legion/mode-agents.ts';
import type { LegionConfig } from './legion/schema.ts';
import { DEFAULT_ISSUE_TOKENS } from './legion/work.ts';
import { readPrivateRecord, writePrivateRecord } from './private-record.ts';

const MOST_BYTES = 64 * 1_024;

const limitSchema = z.union([z.number().min(0), z.literal('none')]);
const trustSchema = z.strictObject({
  agents: z.array(z.string().min(1).max(100)).max(20),
  /** There is no sandbox yet. */
  isolation: z.literal('none'),
  budgets: z.strictObject({
    issueUsd: limitSchema,
    dayUsd: limitSchema,
    issueTokens: limitSchema,
    dayTokens: limitSchema,
  }),
});
const fileSchema = z.strictObject({
  version: z.literal(1),
  trust: trustSchema,
  by: z.string().min(1).max(100),
  /** Milliseconds since 1970. */
  at: z.number(),
});

/** What a configuration lets real agents do and spend. */
export type AgentTrust = z.output<typeof trustSchema>;

/** Undefined where no real agent is configured: the scripted one needs no consent. */
export function trustAskedBy(config: LegionConfig): AgentTrust | undefined {
  const agents = [...new Set(usesOf(config).map(({ agent }) => agent))].filter(
    (agent) => agent !== 'scripted',
  );
  if (agents.length === 0) return undefined;
  const { issue, day } = config.budgets;
  return {
    agents: agents.sort(),
    isolation: 'none',
    budgets: {
      issueUsd: issue.usd ?? 'none',
      dayUsd: day.usd ?? 'none',
      issueTokens: issue.tokens ?? DEFAULT_ISSUE_TOKENS,
      dayTokens: day.tokens ?? 'none',
    },
  };
}

/** What goes beyond the consent, in words; empty where it covers everything. */
export function findWidening(asked: AgentTrust, given: AgentTrust | undefined): readonly string[] {
  if (given === undefined) return ['nobody has agreed to it yet'];
  const agents = asked.agents.filter((agent) => !given.agents.includes(agent));
  const budgets = (Object.keys(LIMITS) as (keyof AgentTrust['budgets'])[]).filter((limit) =>
    isMore(asked.budgets[limit], given.budgets[limit]),
  );
  return [
    ...(agents.length === 0 ? [] : [`${agents.join(', ')} may work, too`]),
    ...budgets.map(
      (limit) => `${LIMITS[limit]} rises from ${given.budgets[limit]} to ${asked.budgets[limit]}`,
    ),
  ];
}

const LIMITS: Readonly<Record<keyof AgentTrust['budgets'], string>> = {
  issueUsd: 'budgets.issue.usd',
  dayUsd: 'budgets.day.usd',
  issueTokens: 'budgets.issue.tokens',
  dayTokens: 'budgets.day.tokens',
};

type Limit = z.output<typeof limitSchema>;

function isMore(asked: Limit, given: Limit): boolean {
  if (given === 'none') return false;
  return asked === 'none' || asked > given;
}

export function consentFile(stateFolder: string): string {
  return join(stateFolder, 'consent.json');
}

/** Undefined where nobody has agreed yet; a file that cannot be trusted or understood is a fault. */
export function readConsent(stateFolder: string): Result<AgentTrust | undefined> {
  const file = readPrivateRecord(consentFile(stateFolder), fileSchema, MOST_BYTES, 'consent.invalid');
  return file.ok ? ok(file.value?.trust) : file;
}

/** On disk, readable by the operator alone, when it returns. */
export function recordConsent(
  stateFolder: string,
  trust: AgentTrust,
  { by, at }: { readonly by: string; readonly at: number },
): Result<void> {
  return writePrivateRecord(consentFile(stateFolder), { version: 1, trust, by, at }, 'consent.unwritten');
}
