/** `legion skills list`: the skills there are, and for which agents of this user they are installed. */

import { formed } from '../../formed.ts';
import { bullets, heading, section } from '../../present/page.ts';
import { table } from '../../present/table.ts';
import { JSON_OPTION } from '../../program/daemon-command.ts';
import { version } from '../../version.ts';
import { AGENT_NAMES, agentHome } from './agent-homes.ts';
import { type Change, compare } from './compare.ts';
import { readManifest } from './manifest.ts';
import { type ShippedSkill, shippedSkills } from './shipped.ts';

interface Installed {
  readonly agent: string;
  readonly folder: string;
  readonly state: string;
}

export const list = formed(
  {
    name: 'skills list',
    says: 'Lists Legion’s skills, and where they are installed.',
    options: { ...JSON_OPTION },
  },
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
    context.stdout.write(
      json
        ? `${JSON.stringify({ version: version(), skills: all.map(described), agents })}\n`
        : page(all, agents),
    );
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

function page(all: readonly ShippedSkill[], agents: readonly Installed[]): string {
  const skills = all.map(({ name, description }) => `${heading(name)}${bullets([description])}`);
  const rows = agents.map(({ agent, state, folder }) => [agent, state, folder]);
  return `${skills.join('\n')}${section('Installed', table(['AGENT', 'STATE', 'FOLDER'], rows))}`;
}
