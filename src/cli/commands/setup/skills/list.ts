/** `legion skills list`: lists the skills and the agents they are installed for. */
import { Command } from '@commander-js/extra-typings';
import { readVersion } from '../../../installation.ts';
import { printJson, printPage, renderBullets, renderHeading, renderSection } from '../../../present/page.ts';
import { renderTable } from '../../../present/table.ts';
import { getTerminalColumns } from '../../../present/terminal.ts';
import { addJsonOption, defineCommand } from '../../../program/define-command.ts';
import { compareSkills, type SkillChange } from './install.ts';
import {
  AGENT_NAMES,
  readManifest,
  readShippedSkills,
  resolveAgentHome,
  type ShippedSkill,
} from './shipped.ts';

interface InstalledSkills {
  readonly agent: string;
  readonly folder: string;
  readonly state: string;
}

export const list = defineCommand(
  () => addJsonOption(new Command().description('List Legion’s skills and where they are installed.')),
  async ({ options: { json } }, context) => {
    const all = readShippedSkills();
    const shipped = all.flatMap(({ files }) => files);
    const agents = AGENT_NAMES.map((name): InstalledSkills => {
      const { agent, home, exists, skills: folder } = resolveAgentHome(name, context);
      const state = exists
        ? describeInstallState(compareSkills(folder, shipped, readManifest(folder), false))
        : `${home} does not exist`;
      return { agent, folder, state };
    });
    if (json === true) printJson(context, { version: readVersion(), skills: all.map(toSkillData), agents });
    else printPage(context, renderSkillsPage(all, agents, getTerminalColumns(context.stdout)));
    return undefined;
  },
);

function toSkillData({ name, description, files }: ShippedSkill) {
  return { name, description, files: files.map(({ path }) => path) };
}

function describeInstallState(changes: readonly SkillChange[]): string {
  const count = (...whats: readonly SkillChange['what'][]) =>
    changes.filter(({ what }) => whats.includes(what)).length;
  if (count('new') === changes.length) return 'not installed';
  const due = count('new', 'changed', 'removed');
  const editedCount = count('kept');
  const parts = [
    ...(due > 0 ? [`${due} to update`] : []),
    ...(editedCount > 0 ? [`${editedCount} changed by hand`] : []),
  ];
  return parts.join(', ') || 'up to date';
}

function renderSkillsPage(
  all: readonly ShippedSkill[],
  agents: readonly InstalledSkills[],
  columns: number,
): string {
  const skills = all.map(({ name, description }) => `${renderHeading(name)}${renderBullets([description])}`);
  const rows = agents.map(({ agent, state, folder }) => [agent, state, folder]);
  return `${skills.join('\n')}${renderSection('Installed', renderTable(['AGENT', 'STATE', 'FOLDER'], rows, columns))}`;
}
