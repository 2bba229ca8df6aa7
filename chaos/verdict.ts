/**
 * Decides from outside observations whether Legion kept its promises. Pure, so that tests can make
 * each verdict fail.
 */

/** Goal for the time from killing a daemon until the next one is ready. */
export const READY_GOAL_MS = 5_000;

export interface ChaosObservations {
  /** Titles of all added issues. */
  readonly titles: readonly string[];
  readonly board: readonly { readonly id: string; readonly title: string; readonly status: string }[];
  /** Subjects of all commits on the base branch. */
  readonly subjects: readonly string[];
  /** First lines of the notes on the base branch, one for each issue's work. */
  readonly notes: readonly string[];
  /** Worker messages that were never read. */
  readonly unread: readonly string[];
  readonly overlaps: readonly string[];
  readonly decoys: { readonly there: number; readonly harmed: readonly string[] };
  /** SQLite's integrity report for each store. `ok` if it is intact. */
  readonly stores: Readonly<Record<string, string>>;
  readonly journal: readonly JournalRow[];
  /** Events that a daemon published before it was killed. */
  readonly observedEvents: Iterable<{ readonly seq: number; readonly type: string; readonly at: number }>;
  readonly readyMs: readonly number[];
  readonly adopted: number;
  readonly unadopted: readonly string[];
  /** Attempts that the harness killed directly or through their runner, as `worker/attempt`. */
  readonly killed: ReadonlySet<string>;
  /** Error that aborted the run. */
  readonly failure?: string | undefined;
}

export interface JournalRow {
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly type: string;
  /** `worker/attempt`, if the event is about an attempt. */
  readonly attempt: string | undefined;
}

export interface ChaosVerdict {
  readonly promise: string;
  readonly seen: string;
  /** Descriptions of what went wrong. Empty if the promise was kept. */
  readonly wrong: readonly string[];
}

export function judgePromises(seen: ChaosObservations): readonly ChaosVerdict[] {
  const { titles, overlaps, decoys, readyMs, adopted, unadopted, unread, failure } = seen;
  const starts = readyMs.map(Math.round).sort((one, other) => one - other);
  const [middle = 0, slowest = 0] = [starts[Math.floor(starts.length / 2)], starts.at(-1)];
  return [
    { promise: 'no issue is lost', seen: `${titles.length} issues`, wrong: findLostIssues(seen) },
    {
      promise: 'no report is lost or counted twice',
      seen: countAcceptedReports(seen),
      wrong: [...unread, ...findDuplicateReports(seen)],
    },
    { promise: 'no worker runs twice', seen: `${overlaps.length} overlaps`, wrong: overlaps },
    {
      promise: 'no healthy worker is killed',
      seen: `${listDeaths(seen).length} deaths`,
      wrong: findFalseDeaths(seen),
    },
    { promise: 'no foreign process is signalled', seen: `${decoys.there} decoys`, wrong: decoys.harmed },
    { promise: 'the stores are intact', seen: `${seen.journal.length} events`, wrong: findStoreDamage(seen) },
    {
      promise: `ready again within ${READY_GOAL_MS / 1_000} s`,
      seen: `${starts.length} starts, p50 ${middle} ms, slowest ${slowest} ms`,
      wrong: slowest > READY_GOAL_MS ? [`ready again only after ${slowest} ms`] : [],
    },
    { promise: 'live workers are adopted', seen: `${adopted} adopted`, wrong: unadopted },
    { promise: 'the run completes', seen: '', wrong: failure === undefined ? [] : [failure] },
  ];
}

/**
 * Checks that each issue is on the board exactly once, as Done, and that its commit and its note
 * are on the base branch exactly once.
 */
function findLostIssues({ titles, board, subjects, notes }: ChaosObservations): string[] {
  const unknown = board.filter(({ title }) => !titles.includes(title));
  return [
    ...titles.flatMap((title) => {
      const found = board.filter((issue) => issue.title === title);
      const open = found.filter(({ status }) => status !== 'Done');
      const commits = subjects.filter((subject) => subject.includes(`: ${title} (`)).length;
      const written = notes.filter((note) => note === `# ${title}`).length;
      return [
        ...(found.length === 1 ? [] : [`“${title}” is on the board ${found.length} times`]),
        ...open.map(({ id, status }) => `${id} is still in ${status}`),
        ...(commits === 1 ? [] : [`“${title}” is on the base branch branch ${commits} times`]),
        ...(written === 1 ? [] : [`the work of “${title}” is on the base branch branch ${written} times`]),
      ];
    }),
    ...unknown.map(({ id, title }) => `${id}, “${title}”, was never added`),
  ];
}

function countAcceptedReports({ journal }: ChaosObservations): string {
  return `${journal.filter(({ type }) => type === 'attempt.report_accepted').length} reports`;
}

function findDuplicateReports({ journal }: ChaosObservations): string[] {
  const reports = journal.filter(({ type }) => type === 'attempt.report_accepted');
  return [...Map.groupBy(reports, ({ attempt }) => attempt)].flatMap(([attempt, each]) =>
    each.length > 1 ? [`the report of ${attempt} was accepted ${each.length} times`] : [],
  );
}

function listDeaths({ journal }: ChaosObservations): readonly JournalRow[] {
  return journal.filter(({ type }) => type === 'attempt.crashed' || type === 'kill.performed');
}

function findFalseDeaths(seen: ChaosObservations): string[] {
  return listDeaths(seen)
    .filter(({ attempt = '' }) => !seen.killed.has(attempt))
    .map(
      ({ seq, type, attempt }) => `${attempt}: ${type} (event ${seq}), although the harness did not kill it`,
    );
}

/**
 * Checks that SQLite finds no damage, sequence numbers have no gap, no daemon wrote after its
 * successor, and no published event is missing.
 */
function findStoreDamage({ stores, journal, observedEvents }: ChaosObservations): string[] {
  const rows = new Map(journal.map((row) => [row.seq, row]));
  const damaged = Object.entries(stores).filter(([, says]) => says !== 'ok');
  const forgotten = [...observedEvents].filter(({ seq, type, at }) => {
    const row = rows.get(seq);
    return row?.type !== type || row.at !== at;
  });
  return [
    ...damaged.map(([name, says]) => `${name}: ${says}`),
    ...('journal.db' in stores ? [] : ['the journal is missing']),
    ...journal.flatMap(({ seq, epoch }, index) => {
      const before = journal[index - 1] ?? { seq: 0, epoch: 0 };
      return [
        ...(seq === before.seq + 1 ? [] : [`event ${seq} follows event ${before.seq}`]),
        ...(epoch >= before.epoch
          ? []
          : [`event ${seq} has epoch ${epoch}, but the event before it has epoch ${before.epoch}`]),
      ];
    }),
    ...forgotten.map(({ seq, type }) => `event ${seq} (${type}) was published but is not in the journal`),
  ];
}
