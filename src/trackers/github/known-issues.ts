/** Which issue an id means: remembered from what was read, never taken apart. */
import { type IssueId, readIssueId } from '../../core/model/ids.ts';
import {
  byPlace,
  type IssuePlace,
  isSameRepository,
  placeKey,
  shownPlace,
} from '../../integrations/github/client/issue-reference.ts';

export interface Known {
  readonly id: IssueId;
  readonly place: IssuePlace;
  /** GitHub's id of the issue itself. */
  readonly node: string;
}

/** What a webhook names: an issue by its place, or GitHub's id of the issue or of its item on a board. */
export type IssueHint = IssuePlace | { readonly node: string };

export interface KnownIssues {
  of(id: IssueId): Known | undefined;
  /** Takes in issues that were seen; those of configured repositories first, so that who comes second is the same each time. */
  learn(seen: readonly Omit<Known, 'id'>[], repositories: readonly string[]): void;
  /** Items of boards, by the issue they show. */
  learnItems(items: ReadonlyMap<string, string>): void;
  /** GitHub's id of the issue that an item of a board showed when it was last read. */
  nodeOfItem(item: string): string | undefined;
  idOf(hint: IssueHint): IssueId | undefined;
  /** Undefined where the name cannot be an id, or is another issue's. */
  idAt(place: IssuePlace): IssueId | undefined;
  /** Issues that cannot have an id, each with the reason. */
  setAside(): readonly string[];
}

/**
 * Two issues may want the same id: `a-b/c#1` and `a/b-c#1`. The first keeps it and the second is set aside, which is told as a
 * trouble: to work on the one in the name of the other would be worse than not at all. Ids are compared without their
 * capitals, because those of workers are.
 */
export function openKnownIssues(): KnownIssues {
  const byId = new Map<string, Known>();
  const idByNode = new Map<string, IssueId>();
  let nodeByItem: ReadonlyMap<string, string> = new Map();
  const aside = new Map<string, string>();

  function learnOne(place: IssuePlace, node: string): void {
    const id = idFor(place);
    const readable = readIssueId(id);
    const known = byId.get(id.toLowerCase());
    if (!readable.ok) {
      aside.set(placeKey(place), `${shownPlace(place)} is left alone: ${readable.fault.message}`);
    } else if (known === undefined || placeKey(known.place) === placeKey(place)) {
      byId.set(id.toLowerCase(), { id: known?.id ?? id, place, node });
      idByNode.set(node, known?.id ?? id);
    } else {
      const why = `its id ${id} is that of ${shownPlace(known.place)}`;
      aside.set(placeKey(place), `${shownPlace(place)} is left alone: ${why}`);
    }
  }

  function idAt(place: IssuePlace): IssueId | undefined {
    const id = idFor(place);
    const known = byId.get(id.toLowerCase());
    if (known !== undefined) return placeKey(known.place) === placeKey(place) ? known.id : undefined;
    return readIssueId(id).ok ? id : undefined;
  }

  return {
    of: (id) => {
      const known = byId.get(id.toLowerCase());
      return known?.id === id ? known : undefined;
    },
    learn(seen, repositories) {
      const rank = ({ owner, repo }: IssuePlace) => {
        const at = repositories.findIndex((name) => isSameRepository(name, `${owner}/${repo}`));
        return at < 0 ? repositories.length : at;
      };
      const sorted = seen.toSorted((a, b) => rank(a.place) - rank(b.place) || byPlace(a.place, b.place));
      for (const { place, node } of sorted) learnOne(place, node);
    },
    learnItems(items) {
      nodeByItem = items;
    },
    nodeOfItem: (item) => nodeByItem.get(item),
    idOf(hint) {
      if ('node' in hint) return idByNode.get(nodeByItem.get(hint.node) ?? hint.node);
      const known = byId.get(idFor(hint).toLowerCase());
      return known !== undefined && placeKey(known.place) === placeKey(hint) ? known.id : undefined;
    },
    idAt,
    setAside: () => [...aside.values()],
  };
}

function idFor({ owner, repo, number }: IssuePlace): IssueId {
  return `${owner}-${repo}-${number}`;
}
