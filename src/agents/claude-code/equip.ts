/** The files Claude Code is configured with: Legion's tools, its Stop hook, its rules and its skills, none of them in the repository. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { Equipment } from '../../driving/equipment.ts';
import { writeHookScript } from '../../driving/hook-script.ts';

/** The name its tools have: `mcp__legion__done`. */
export const MCP_SERVER = 'legion';

/** Seconds. It only looks into a folder; where that takes longer the turn may end without it. */
const HOOK_TIMEOUT_S = 30;

export interface Files {
  readonly mcp: string;
  readonly settings: string;
  readonly rules: string;
  readonly plugin: string;
}

/** Written anew for each life of a session: an update of Legion may have moved what they name. */
export function equip(folder: string, equipment: Equipment): Files {
  const files = {
    mcp: join(folder, 'mcp.json'),
    settings: join(folder, 'settings.json'),
    rules: join(folder, 'rules.md'),
    plugin: join(folder, 'plugin'),
  };
  try {
    write(files.mcp, { mcpServers: { [MCP_SERVER]: { type: 'stdio', ...equipment.mcp } } });
    write(files.settings, { hooks: { Stop: [{ hooks: [stopHook(folder, equipment)] }] } });
    writeFileSync(files.rules, equipment.rules, { mode: 0o600 });
    writePlugin(files.plugin, equipment.skills);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${folder}: ${why}`, { cause: error });
  }
  return files;
}

function stopHook(folder: string, equipment: Equipment) {
  return {
    type: 'command',
    command: writeHookScript(folder, equipment.stopHook),
    timeout: HOOK_TIMEOUT_S,
  };
}

/** A plugin is the one way to skills that depends neither on the repository nor on the person's own settings. */
function writePlugin(folder: string, skills: string): void {
  const about = join(folder, '.claude-plugin');
  mkdirSync(about, { recursive: true, mode: 0o700 });
  write(join(about, 'plugin.json'), {
    name: 'legion',
    version: '1.0.0',
    description: 'The skills of a worker.',
  });
  const link = join(folder, 'skills');
  rmSync(link, { force: true });
  symlinkSync(skills, link);
}

function write(file: string, data: object): void {
  writeFileSync(file, JSON.stringify(data), { mode: 0o600 });
}
