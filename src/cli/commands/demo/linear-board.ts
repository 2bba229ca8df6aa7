/** A team of Linear as the demo's board: the person writes, answers and approves there with a key, as any member of it. */

import type { DemoGithub } from '../../../demo/on-github.ts';
import { numbered, STORIES } from '../../../demo/stories.ts';
import { openLinear } from '../../../integrations/linear/client/open.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { LinearClient } from '../../../linear/client.ts';
import type { CommandContext } from '../../command.ts';
import type { DemoBoard } from '../setup/demo/board.ts';
import { linearComplaints, type Said } from '../setup/demo/linear-mistakes.ts';
import type { GithubCode } from './github-code.ts';
import type { GivenLinear } from './linear-options.ts';
import { findDemoTeam, prepareTeam } from './linear-team.ts';
import { addComment, makeIssue, moveIssue, putLabel } from './linear-writing.ts';

/**
 * The issues are written before there is a daemon, into the Icebox, where nobody works on what nobody has clarified, and are moved
 * to Triage when it runs: the scenario has to know the identifiers that Linear gives them. `folder` is the demo's.
 */
export async function linearBoard(
  given: GivenLinear,
  github: DemoGithub | undefined,
  folder: string,
  context: CommandContext,
): Promise<DemoBoard> {
  const value = context.env[given.keyVariable]?.trim() ?? '';
  const client = openLinear({ url: given.url, credential: { kind: 'api_key', value }, clock: systemClock });
  const opened: (() => Promise<void>)[] = [() => client.close()];
  const close = async () => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    return { ...(await open(client, { given, github, folder, opened }, context)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Opening {
  readonly given: GivenLinear;
  readonly github: DemoGithub | undefined;
  readonly folder: string;
  readonly opened: (() => Promise<void>)[];
}

/** Everything that can be refused is, before anything is written. */
async function open(
  client: LinearClient,
  { given, github, folder, opened }: Opening,
  context: CommandContext,
): Promise<Omit<DemoBoard, 'close'>> {
  const { signal } = context;
  const found = await findDemoTeam(client, given.team, signal);
  const code = github && (await codeOn(github, folder, context));
  if (code !== undefined) opened.push(code.close);
  const team = await prepareTeam(client, found, signal);

  const uuids = new Map<string, string>();
  for (const story of STORIES) {
    const { id, identifier } = await makeIssue(client, team, story);
    uuids.set(identifier, id);
  }
  const uuidOf = (issue: string) => uuids.get(issue) ?? '';
  const said: Said[] = [];
  const say = async (issue: string, text: string) => {
    await addComment(client, uuidOf(issue), text);
    said.push({ issue, text });
  };
  const { url, keyVariable } = given;
  return {
    surroundings: { github, linear: { url, keyVariable, team: team.id, statuses: team.statuses } },
    stories: numbered([...uuids.keys()]),
    submit: ({ id }) => moveIssue(client, uuidOf(id), team.stateId('Triage')),
    clarify: say,
    answer: ({ issue }, text) => say(issue, text),
    approve: (issue) => putLabel(client, uuidOf(issue), team.labelId('human-approved')),
    bringMain: async (place) => code?.bringMain(place),
    complaints: (until) =>
      linearComplaints(client, { issues: uuids, said, names: team.statuses, github }, until),
  };
}

async function codeOn(github: DemoGithub, folder: string, context: CommandContext): Promise<GithubCode> {
  const { openGithubCode } = await import('./github-code.ts');
  return openGithubCode(github, folder, context);
}
