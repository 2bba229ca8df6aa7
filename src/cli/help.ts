/** `legion --help`: the commands in groups, one line each. */
import { styleText } from 'node:util';
import { type Entry, GROUPS } from './program/command-table.ts';

export function overview(commands: Readonly<Record<string, Entry>>): string {
  const names = shownNames(commands);
  const width = Math.max(...names.map((name) => name.length));
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const members = names.filter((name) => commands[name]?.group === group);
    const lines = members.map((name) => `  ${name.padEnd(width)}  ${commands[name]?.summary}`);
    return lines.length === 0 ? [] : [styleText('bold', title), ...lines, ''];
  });
  return [
    'legion: an autonomous development swarm',
    '',
    'Usage: legion COMMAND [options]',
    '',
    ...groups,
    '`legion COMMAND --help` explains a command; `legion --version` prints the version.',
    '',
  ].join('\n');
}

/** Those for people. */
export function shownNames(commands: Readonly<Record<string, Entry>>): readonly string[] {
  return Object.keys(commands).filter((name) => commands[name]?.hidden !== true);
}
