/** What the operator agreed to before a real worker starts; kept in a file of the legion's state folder. */

import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { decode } from '../domain/decode.ts';
import { failed, fault, ok, type Result } from '../domain/fault.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';
import { parseJson } from '../lib/json.ts';
import { usesOf } from './legion/agent-of.ts';
import type { LegionConfig } from './legion/schema.ts';
import { DEFAULT_ISSUE_TOKENS } from './legion/work.ts';
import { readTextFile } from './text-file.ts';

const MOST_BYTES = 64 * 1_024;
const FOLDER_MODE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

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
  const path = consentFile(stateFolder);
  const distrust = (says: string) => failed(fault('consent.invalid', says));
  const text = readTextFile(path, MOST_BYTES, 'no links');
  if (!text.ok) return text.fault.code === 'config.missing' ? ok(undefined) : distrust(text.fault.message);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return distrust(`${path}: other users may write to it`);
  const file = decode(fileSchema, parseJson(text.value), path);
  return file.ok ? ok(file.value.trust) : distrust(file.fault.message);
}

/** On disk, readable by the operator alone, when it returns. */
export function recordConsent(
  stateFolder: string,
  trust: AgentTrust,
  { by, at }: { readonly by: string; readonly at: number },
): Result<void> {
  const path = consentFile(stateFolder);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    writeDurablySync(path, `${JSON.stringify({ version: 1, trust, by, at }, undefined, 2)}\n`);
    return ok(undefined);
  } catch (error) {
    return failed(fault('consent.unwritten', `${path}: ${(error as Error).message}`));
  }
}
