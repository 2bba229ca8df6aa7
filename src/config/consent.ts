/**
 * Stores what the operator agreed to before a real worker starts, in a file of the legion's state
 * directory.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../core/model/fault.ts';
import { listAgentUses } from './legion/mode-agents.ts';
import type { LegionConfig } from './legion/schema.ts';
import { DEFAULT_ISSUE_TOKENS } from './legion/work.ts';
import { readPrivateRecord, writePrivateRecord } from './text-file.ts';

const MAX_CONSENT_BYTES = 64 * 1_024;

const limitSchema = z.union([z.number().min(0), z.literal('none')]);
const trustSchema = z.strictObject({
  agents: z.array(z.string().min(1).max(100)).max(20),
  /** Always `none`, because there is no sandbox yet. */
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

/** Agents and budgets that a configuration asks for. */
export type AgentTrust = z.output<typeof trustSchema>;

/** Returns undefined if no real agent is configured. The scripted agent needs no consent. */
export function toRequestedTrust(config: LegionConfig): AgentTrust | undefined {
  const agents = [...new Set(listAgentUses(config).map(({ agent }) => agent))].filter(
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

/**
 * Describes each part of the request that goes beyond the consent. Empty if the consent covers
 * everything.
 */
export function findWidening(requested: AgentTrust, consented: AgentTrust | undefined): readonly string[] {
  if (consented === undefined) return ['no consent is recorded yet'];
  const agents = requested.agents.filter((agent) => !consented.agents.includes(agent));
  const budgets = (Object.keys(BUDGET_KEYS) as (keyof AgentTrust['budgets'])[]).filter((limit) =>
    isMore(requested.budgets[limit], consented.budgets[limit]),
  );
  return [
    ...(agents.length === 0 ? [] : [`${agents.join(', ')} would also be allowed to run`]),
    ...budgets.map(
      (limit) =>
        `${BUDGET_KEYS[limit]} rises from ${consented.budgets[limit]} to ${requested.budgets[limit]}`,
    ),
  ];
}

const BUDGET_KEYS: Readonly<Record<keyof AgentTrust['budgets'], string>> = {
  issueUsd: 'budgets.issue.usd',
  dayUsd: 'budgets.day.usd',
  issueTokens: 'budgets.issue.tokens',
  dayTokens: 'budgets.day.tokens',
};

type BudgetLimit = z.output<typeof limitSchema>;

function isMore(requested: BudgetLimit, consented: BudgetLimit): boolean {
  if (consented === 'none') return false;
  return requested === 'none' || requested > consented;
}

export function resolveConsentFile(stateFolder: string): string {
  return join(stateFolder, 'consent.json');
}

/**
 * Returns undefined if there is no consent yet. A file that cannot be trusted or parsed is an
 * error.
 */
export function readConsent(stateFolder: string): Result<AgentTrust | undefined> {
  const file = readPrivateRecord(
    resolveConsentFile(stateFolder),
    fileSchema,
    MAX_CONSENT_BYTES,
    'consent.invalid',
  );
  return file.ok ? ok(file.value?.trust) : file;
}

/** When this returns, the consent is on disk and readable only by the operator. */
export function recordConsent(
  stateFolder: string,
  trust: AgentTrust,
  { by, at }: { readonly by: string; readonly at: number },
): Result<void> {
  return writePrivateRecord(
    resolveConsentFile(stateFolder),
    { version: 1, trust, by, at },
    'consent.unwritten',
  );
}
