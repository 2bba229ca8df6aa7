/** Writes everything the demo needs into its folder: the repository, the configuration, the scenario, and a `legion` for it. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { DEMO_MARK } from '../domain/scripted.ts';
import { shellWord } from '../domain/shell-word.ts';
import { type DemoAgent, legionYaml, SCENARIO_FILE } from './configuration.ts';
import { git } from './git.ts';
import { PROJECT, PROJECT_NAME } from './project/project.ts';
import { type NumberedStory, scenario } from './stories.ts';
import { type Surroundings, surroundingsYaml, surroundingVariables } from './surroundings.ts';

export interface DemoPlace {
  readonly folder: string;
  /** The sample repository, with its base branch checked out. */
  readonly repository: string;
  readonly config: string;
  readonly stories: readonly NumberedStory[];
  /** A `legion` that finds this legion from anywhere. */
  readonly command: string;
  readonly environment: Environment;
}

const EXECUTABLE = 0o755;

export interface LayOutOptions {
  /** It exists and belongs to the demo. */
  readonly folder: string;
  /** The command that starts Legion. */
  readonly launcher: readonly string[];
  readonly given: Environment;
  readonly stories: readonly NumberedStory[];
  readonly agent: DemoAgent | undefined;
  /** Where the issues and the pull requests are, if not here; of a GitHub the sample repository is a clone, and there already. */
  readonly surroundings: Surroundings;
}

export async function layOut(options: LayOutOptions): Promise<DemoPlace> {
  const { folder, launcher, given, stories, agent, surroundings } = options;
  const isHere = surroundings.github === undefined;
  const place: DemoPlace = {
    folder,
    stories,
    repository: repositoryIn(folder),
    config: join(folder, 'legion.yaml'),
    command: join(folder, 'legion'),
    environment: demoEnvironment(given, folder, surroundingVariables(surroundings)),
  };
  try {
    if (isHere) for (const [path, text] of Object.entries(PROJECT)) write(join(place.repository, path), text);
    write(place.config, legionYaml(surroundingsYaml(surroundings, place.repository), agent));
    write(join(folder, SCENARIO_FILE), `${JSON.stringify(scenario(stories), undefined, 2)}\n`);
    write(place.command, commandText(place, launcher));
    chmodSync(place.command, EXECUTABLE);
  } catch (error) {
    throw new LegionError('demo.folder_unusable', `${folder}: ${(error as Error).message}`, { cause: error });
  }
  if (isHere) await firstCommit(place);
  return place;
}

/** Where the sample repository lies in the demo's folder. */
export function repositoryIn(folder: string): string {
  return join(folder, PROJECT_NAME);
}

async function firstCommit({ repository, environment }: DemoPlace): Promise<void> {
  // Without templates: what a user wants in every new repository is not wanted in a sample.
  await git(repository, ['init', '--quiet', '--template=', '--initial-branch=main'], environment);
  await markAsDemo(repository, environment);
  await git(repository, ['add', '--all'], environment);
  await git(repository, ['commit', '--quiet', '--message=A stockroom'], environment);
}

/** Scripted work may be merged into a repository that the demo has made, and into no other. */
export async function markAsDemo(repository: string, environment: Environment): Promise<void> {
  await git(repository, ['config', '--local', DEMO_MARK, 'true'], environment);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function commandText({ folder, config }: DemoPlace, launcher: readonly string[]): string {
  const homes = Object.entries(homesIn(folder)).map(([name, path]) => `export ${name}=${shellWord(path)}`);
  return [
    '#!/bin/sh',
    '# `legion` for the demo of this folder, from wherever it is called.',
    ...homes,
    `cd ${shellWord(dirname(config))} && exec ${launcher.map(shellWord).join(' ')} "$@"`,
    '',
  ].join('\n');
}

/** Where Legion keeps its files by the XDG standard, below the demo's folder. */
const HOMES = { XDG_DATA_HOME: 'data', XDG_STATE_HOME: 'state' } as const;

/** A legion of the user's, a repository that git was told of, and a test runner around us have no say here. */
const NOT_OURS = /^(?:LEGION_|LINEAR_|GIT_|NODE_TEST_CONTEXT$)/;

/** The environment of everything the demo starts: its legion lives in the demo's folder and knows nothing of the user's. */
function homesIn(folder: string): Readonly<Record<keyof typeof HOMES, string>> {
  return {
    XDG_DATA_HOME: join(folder, HOMES.XDG_DATA_HOME),
    XDG_STATE_HOME: join(folder, HOMES.XDG_STATE_HOME),
  };
}

/** `named`: variables the demo was told of, which it keeps whatever they are called. */
function demoEnvironment(given: Environment, folder: string, named: readonly string[] = []): Environment {
  const kept = Object.entries(given).filter(([name]) => named.includes(name) || !NOT_OURS.test(name));
  return { ...Object.fromEntries(kept), ...homesIn(folder) };
}
