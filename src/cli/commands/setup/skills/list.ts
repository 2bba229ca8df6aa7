/** `legion skills list`: the skills there are, and for which agents of this user they are installed. */

import { Command } from '@commander-js/extra-typings';
import { bullets, heading, section } from '../../../present/page.ts';
import { printJson, printPage } from '../../../present/print.ts';
import { table } from '../../../present/table.ts';
import { terminalColumns } from '../../../present/terminal-columns.ts';
import { defineCommand } from '../../../program/define-command.ts';
import { addJsonOption } from '../../../program/options.ts';
import { version } from '../../../version.ts';
import { AGENT_NAMES, agentHome } from '../../skills/agent-homes.ts';
import { type Change, compare } from '../../skills/compare.ts';
import { readManifest } from '../../skills/manifest.ts';
import { type ShippedSkill, shippedSkills } from '../../skills/shipped.ts';

interface Installed {
  readonly agent: string;
  readonly folder: string;
  readonly state: string;
}

export const list = defineCommand(
  () => addJsonOption(new Command().description('List Legion’s skills and where they are installed.')),
  async ({ options: { json } }, context) => {
    const all = shippedSkills();
    const shipped = all.flatMap(({ files }) => files);
    const agents = AGENT_NAMES.map((name): Installed => {
      const { agent, home, isThere, skills: folder } = agentHome(name, context);
      const state = isThere
        ? stateOf(compare(folder, shipped, readManifest(folder), false))
        : `there is no ${home}`;
      return { agent, folder, state };
    });
    if (json === true) printJson(context, { version: version(), skills: all.map(described), agents });
    else printPage(context, page(all, agents, terminalColumns(context.stdout)));
    return undefined;
  },
);

function described({ name, description, files }: ShippedSkill) {
  return { name, description, files: files.map(({ path }) => path) };
}

function stateOf(changes: readonly Change[]): string {
  const count = (...whats: readonly Change['what'][]) =>
    changes.filter(({ what }) => whats.includes(what)).length;
  if (count('new') === changes.length) return 'not installed';
  const due = count('new', 'changed', 'removed');
  const kept = count('kept');
  const parts = [...(due > 0 ? [`${due} to update`] : []), ...(kept > 0 ? [`${kept} changed by hand`] : [])];
  return parts.join(', ') || 'up to date';
}

function page(all: readonly ShippedSkill[], agents: readonly Installed[], columns: number): string {
  const skills = all.map(({ name, description }) => `${heading(name)}${bullets([description])}`);
  const rows = agents.map(({ agent, state, folder }) => [agent, state, folder]);
  return `${skills.join('\n')}${section('Installed', table(['AGENT', 'STATE', 'FOLDER'], rows, columns))}`;
}
