/** Which team is meant by what somebody has typed: its UUID, its key or its name. */
import { LegionError, shown } from '../core/model/fault.ts';

export interface NamedTeam {
  /** UUID. */
  readonly id: string;
  /** What its issues' identifiers begin with: `ENG`. */
  readonly key: string;
  readonly name: string;
}

/** As many as can be read at a glance. */
const SUGGESTED = 5;

/** Keys and UUIDs belong to one team; names may belong to several, and to one that is called as another's key is. */
export function findTeam<T extends NamedTeam>(teams: readonly T[], text: string): T {
  const wanted = folded(text);
  const exact = teams.find(({ id, key }) => folded(id) === wanted || folded(key) === wanted);
  if (exact !== undefined) return exact;
  const named = teams.filter(({ name }) => folded(name) === wanted);
  const [only] = named;
  if (only === undefined) throw new LegionError('linear.missing', nothing(teams, text));
  if (named.length === 1) return only;
  throw new LegionError(
    'input.invalid',
    `${named.length} teams are called ${shown(text)}: give the key of one, ${named.map(inWords).join(', ')}`,
  );
}

function nothing(teams: readonly NamedTeam[], text: string): string {
  if (teams.length === 0) return `there is no team ${shown(text)}: the account sees no team at all`;
  const near = teams
    .map((team) => ({ team, likeness: likeness(text, `${team.key} ${team.name}`) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, SUGGESTED)
    .map(({ team }) => inWords(team));
  const which = near.length < teams.length ? `the nearest of ${teams.length} are` : 'it sees';
  return `there is no team ${shown(text)} that the account sees; ${which} ${near.join(', ')}`;
}

function inWords({ key, name }: NamedTeam): string {
  return `${key} (${shown(name)})`;
}

/** How many pairs of neighbouring letters both have; more than enough to put a slip of the finger first. */
function likeness(a: string, b: string): number {
  const pairs = new Set(pairsOf(a));
  return pairsOf(b).filter((pair) => pairs.has(pair)).length;
}

function pairsOf(text: string): readonly string[] {
  const letters = ` ${folded(text)}`;
  return Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2));
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
