/** Builds an order for a Codex session that uses the test's own directories. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { AgentSessionOptions } from '../../../src/agents/runner/dialect.ts';

export interface Scene {
  readonly root: string;
  readonly order: AgentSessionOptions;
}

export function newScene(more: Partial<AgentSessionOptions> = {}): Scene {
  const root = mkdtempSync(join(inject('scratch'), 'codex-'));
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  for (const skill of ['legion-worker', 'legion-oracle'])
    writeFileSync(join(folder(`skills/${skill}`), 'SKILL.md'), `---\nname: ${skill}\n---\n`);
  writeFileSync(join(folder('skills'), 'README.md'), 'no skill');
  const worker = {
    LEGION_WORKER: 'demo-1-implement',
    LEGION_ISSUE: 'DEMO-1',
    LEGION_MODE: 'implement' as const,
    LEGION_PHASE: 'implement' as const,
    LEGION_PURPOSE: 'start',
    LEGION_ATTEMPT: 1,
    LEGION_WORKER_TOKEN: 't',
    LEGION_STATE: '/state',
    LEGION_OUTBOX: '/outbox',
  };
  const { PATH = '' } = process.env;
  return {
    root,
    order: {
      session: 's',
      native: undefined,
      isResumed: false,
      model: undefined,
      endpoint: undefined,
      workspace: folder('work'),
      folder: folder('own'),
      program: 'codex',
      worker,
      env: { PATH, HOME: folder('person'), LEGION_WORKER_TOKEN: 't', LEGION_ISSUE: 'DEMO-1' },
      equipment: {
        mcp: { command: '/bin/node', args: ['/legion.js', 'mcp'] },
        stopHook: ['/bin/node', '/legion.js', 'stop-hook'],
        skills: join(root, 'skills'),
        rules: 'Be "good".\nAlways.',
      },
      ...more,
    },
  };
}

/** Writes an executable that stands in for Codex. */
export function writeProgram({ root }: Scene, ...script: readonly string[]): string {
  const path = join(root, 'codex');
  writeFileSync(path, ['#!/bin/sh', ...script, ''].join('\n'), { mode: 0o700 });
  return path;
}
