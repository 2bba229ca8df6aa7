/** Labels and projects by which `legion.yaml` sends issues to repositories, and which of them the team does not have. */
import { z } from 'zod';
import type { LegionConfig } from '../../config/legion/schema.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Team } from '../../integrations/linear/client/teams.ts';
import type { LinearClient } from '../../linear/client.ts';

export interface Marks {
  readonly labels: readonly string[];
  readonly projects: readonly string[];
}

export function marksIn({ repos }: Pick<LegionConfig, 'repos'>): Marks {
  return {
    labels: unique(repos.flatMap(({ labels = [] }) => labels)),
    projects: unique(repos.flatMap(({ projects = [] }) => projects)),
  };
}

export async function missingMarks(
  client: LinearClient,
  team: Pick<Team, 'id' | 'labels'>,
  { labels, projects }: Marks,
  signal: AbortSignal,
): Promise<Marks> {
  const own = new Set(team.labels.filter(({ isGroup }) => !isGroup).map(({ name }) => plain(name)));
  const known = await projectsNamed(client, team.id, projects, signal);
  return {
    labels: labels.filter((name) => !own.has(plain(name))),
    projects: projects.filter((name) => !known.has(plain(name))),
  };
}

/** Names in one request: its filter stays small, and all of them fit onto a page. */
const NAMES_AT_ONCE = 50;

const PROJECTS = `query ProjectsNamed($filter: ProjectFilter!, $first: Int!) {
  projects(first: $first, filter: $filter) { nodes { name } }
}`;

const answer = z.object({ projects: z.object({ nodes: z.array(z.object({ name: z.string() })) }) });

async function projectsNamed(
  client: LinearClient,
  team: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const some = names.slice(from, from + NAMES_AT_ONCE).map((name) => ({ name: { eqIgnoreCase: name } }));
    const filter = { and: [{ or: some }, { accessibleTeams: { some: { id: { eq: team } } } }] };
    // Several projects may have one name; of each name one is enough.
    const first = 4 * NAMES_AT_ONCE;
    const found = answer.safeParse(await client.query(PROJECTS, { filter, first }, { signal }));
    if (!found.success)
      throw new LegionError('linear.unavailable', 'Linear answered with data of a form it never has');
    for (const { name } of found.data.projects.nodes) known.add(plain(name));
  }
  return known;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [plain(name), name.trim()])).values()];
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
