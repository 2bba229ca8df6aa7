/** Simulates a worker process from its first output to its exit. */
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Mode, Phase } from '../core/model/mode.ts';
import type { VerbName } from '../protocol/verb.ts';
import { VERBS_KEPT_OFFLINE } from '../protocol/verb.ts';
import { STOP_REQUEST_ID, toMessageFileName } from '../protocol/worker-message.ts';
import { SHARED_FILE, toIssueFile } from './code.ts';
import type { SimDaemon } from './daemon.ts';
import type { SimProcess } from './host.ts';
import {
  type AgentMisbehaviour,
  MISBEHAVIOURS,
  type MisbehavingWorker,
  runMisbehaviour,
} from './misbehaviour.ts';
import type { SimMessage } from './outboxes.ts';
import { waitForever } from './unreliable-ports.ts';
import type { SimWorld } from './world.ts';

export interface SimWorkerContext
  extends Pick<SimWorld, 'time' | 'random' | 'code' | 'host' | 'faults' | 'rules' | 'sessionWritten'> {
  readonly world: SimWorld;
  /**
   * Sends a message to the daemon, or stores it in the outbox if no daemon responds. Rejects if the
   * daemon refuses the message, or if no daemon responds and the message must not be stored.
   */
  readonly say: (process: SimProcess, verb: VerbName, input: object) => Promise<SimVerbAnswer>;
}

export interface SimVerbAnswer {
  readonly accepted?: boolean;
  readonly durable?: boolean;
}

const STOP_REQUEST_FILE = toMessageFileName({ id: STOP_REQUEST_ID });
const STOP_ANSWERS = ['agree', 'work on', 'ignore'] as const;
/** Maximum number of times that a simulated worker asks for more time: one more than Legion grants. */
const MAX_TIME_REQUESTS = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** One in this many misbehaving testers sends the work back instead of testing it. */
const SENT_BACK_SHARE = 6;
/** Maximum number of tries for a request while no daemon is running. */
const MAX_VERB_TRIES = 400;

export function startSimWorker(context: SimWorkerContext, process: SimProcess): void {
  const worker = new SimWorker(context, process);
  worker.run().catch((error: unknown) => worker.fail(error));
}

class SimWorker implements MisbehavingWorker {
  readonly #context: SimWorkerContext;
  readonly process: SimProcess;
  readonly #issue: IssueId;
  readonly #phase: Phase;
  readonly #session: string;
  readonly #misbehaviour: AgentMisbehaviour | undefined;

  constructor(context: SimWorkerContext, process: SimProcess) {
    this.#context = context;
    this.process = process;
    const { LEGION_ISSUE = '', LEGION_PHASE, SIM_SESSION = '' } = process.order.env;
    this.#issue = LEGION_ISSUE;
    this.#phase = LEGION_PHASE as Phase;
    this.#session = SIM_SESSION;
    const { random, faults } = context;
    this.#misbehaviour = faults.drawFault('misbehaving', 'misdeed') ? random.pick(MISBEHAVIOURS) : undefined;
    if (this.#misbehaviour !== undefined) context.rules.countFault(`agents: ${this.#misbehaviour}`);
    // Other messages wait for the next turn, because simulated agents exit at the end of their turn.
    process.onMessage = (name) => {
      if (name === STOP_REQUEST_FILE && process.isHealthy) this.#answerStopRequest().catch(() => undefined);
    };
  }

  /**
   * Answers a request to stop: agrees, asks for more time (sometimes more often than allowed), or
   * ignores the request.
   */
  async #answerStopRequest(): Promise<void> {
    const { random, rules } = this.#context;
    const answer = random.pick(STOP_ANSWERS);
    rules.countFault(`asked to stop: ${answer}`);
    if (answer === 'ignore') return;
    await this.pause(SECOND_MS, 10 * SECOND_MS);
    const requests = answer === 'agree' ? 0 : random.between(1, MAX_TIME_REQUESTS);
    for (let request = 0; request < requests; request += 1) {
      await this.say('status', { text: 'working', reason: 'nearly done' });
      await this.pause(SECOND_MS, 4 * MINUTE_MS);
    }
    await this.end(0);
  }

  async run(): Promise<void> {
    await this.pause(SECOND_MS, 20 * SECOND_MS);
    this.write({ kind: 'started', native: this.#session });
    await this.pause(SECOND_MS, 2 * MINUTE_MS);
    this.write({ kind: 'text', text: 'I am looking at it.' });
    if (this.#misbehaviour !== undefined) await runMisbehaviour(this, this.#misbehaviour, this.#context);
    await this.#report(this.#misbehaviour === 'lie' ? undefined : await this.#work());
  }

  /** Reports an error, unless the attempt is over. */
  async fail(error: unknown): Promise<void> {
    const isOver = error instanceof LegionError && error.code === 'worker.attempt_over';
    if (!isOver) {
      const why = error instanceof Error ? error.message : String(error);
      await this.say('error', { summary: why }).catch(() => undefined);
    }
    await this.end(1);
  }

  /** Resolves to the reason if the work is sent back. */
  async #work(): Promise<string | undefined> {
    const { code, random, faults } = this.#context;
    await this.pause(5 * SECOND_MS, 8 * MINUTE_MS);
    const writeHandoff = () => this.say('handoff_write', { summary: `${this.#phase} of ${this.#issue}` });
    switch (this.#phase) {
      case 'architect':
      case 'plan':
        await writeHandoff();
        return undefined;
      case 'implement':
        await this.say('checkpoint', {
          stage: 'work',
          completed: [],
          remaining: ['all'],
          lastAction: 'began',
        });
        this.#rebaseIfNeeded();
        code.work(this.#issue, this.#files());
        await this.pause(SECOND_MS, MINUTE_MS);
        await this.say('push', {});
        await this.say('pr_open', { title: this.#issue, body: `Closes ${this.#issue}` });
        await writeHandoff();
        return undefined;
      case 'test': {
        if (random.chance(faults.rates.misbehaving / SENT_BACK_SHARE)) return 'nothing to test';
        const result = random.chance(faults.rates.misbehaving / 3) ? 'fail' : 'pass';
        await this.say('verdict', { result, suites: ['unit'] });
        return undefined;
      }
      case 'review': {
        const verdict = random.chance(faults.rates.misbehaving / 3) ? 'request-changes' : 'approve';
        await this.say('review', { verdict, text: 'I have read it.' });
        return undefined;
      }
      case 'retro':
        code.work(this.#issue, [`docs/solutions/${this.#issue}.md`]);
        await this.say('push', {});
        await writeHandoff();
        return undefined;
      case 'merge':
        if (this.#rebaseIfNeeded()) await this.say('push', {});
        return askForMerge(this, this.#issue, this.#context.world);
    }
  }

  /**
   * Rebases the work if it conflicts with the base, or sometimes out of habit. Returns whether it
   * did.
   */
  #rebaseIfNeeded(): boolean {
    const { code, faults } = this.#context;
    const head = code.heads.get(this.#issue);
    if (head === undefined || code.ahead(head).length === 0) return false;
    const isHabit = faults.drawFault('rebasing', 'needless rebase');
    if (!isHabit && code.conflicts(head).length === 0) return false;
    code.rebase(this.#issue);
    return true;
  }

  #files(): readonly string[] {
    const own = toIssueFile(this.#issue);
    return this.#context.faults.drawFault('overlapping', 'issues overlap') ? [own, SHARED_FILE] : [own];
  }

  /**
   * Reports the phase as done. If the report is refused, does the work once more and reports again.
   */
  async #report(sentBack: string | undefined): Promise<void> {
    const first = await this.say('done', { summary: `${this.#phase} is done`, sentBack });
    if (first.accepted === false) {
      const sentBack = await this.#work();
      await this.say('done', { summary: `${this.#phase} is done now`, sentBack });
    }
    this.process.isHealthy = false;
    this.write({ kind: 'turn ended' });
    await this.pause(10, 5 * SECOND_MS);
    await this.end(0);
  }

  /** Sends a request and retries until a daemon responds. */
  async say(verb: VerbName, input: object): Promise<SimVerbAnswer> {
    for (let tries = 1; ; tries += 1) {
      this.write({ kind: 'tool started', tool: verb, id: `${verb} ${tries}` });
      try {
        const answer = await this.#whileAlive(this.#context.say(this.process, verb, input));
        this.write({ kind: 'tool ended', id: `${verb} ${tries}`, failed: false });
        return answer;
      } catch (error) {
        this.write({ kind: 'tool ended', id: `${verb} ${tries}`, failed: true });
        const isAway = error instanceof LegionError && error.retryable;
        if (!isAway || tries === MAX_VERB_TRIES) throw error;
        await this.pause(5 * SECOND_MS, MINUTE_MS);
      }
    }
  }

  async pause(minMs: number, maxMs: number): Promise<void> {
    const { time, random } = this.#context;
    await this.#whileAlive(time.sleep(random.between(minMs, maxMs)));
    // The agent's session file changes while the agent is working.
    this.#context.sessionWritten(this.#session);
  }

  /** Waits for the work. Never resolves after the process has exited. */
  async #whileAlive<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      return this.process.exit === undefined ? result : await waitForever();
    } catch (error) {
      if (this.process.exit !== undefined) await waitForever();
      throw error;
    }
  }

  write(line: object): void {
    this.#context.host.write(this.process, line);
  }

  async end(code: number): Promise<void> {
    this.process.isHealthy = false;
    this.#context.host.end(this.process, { code, signal: null });
    await waitForever();
  }
}

const MERGE_RETRY_UNIT_MS = 60_000;
/**
 * Maximum number of merge requests. CI takes minutes, and a moving base may make it start again.
 */
const MAX_MERGE_REQUESTS = 20;

/**
 * Requests a merge like a simulated merger: waits for checks, resolves conflicts, and sends back
 * work that cannot be merged. Resolves to the reason if the work is sent back.
 */
async function askForMerge(
  worker: MisbehavingWorker,
  issue: IssueId,
  world: SimWorld,
): Promise<string | undefined> {
  const { code, rules } = world;
  for (let requests = 1; ; requests += 1) {
    try {
      await worker.say('merge', {});
      return undefined;
    } catch (error) {
      if (!(error instanceof LegionError) || requests === MAX_MERGE_REQUESTS) throw error;
      const { code: fault, message } = error;
      rules.board.checkRefusedMerge(world, issue, message);
      if (fault === 'forge.conflict' || /\bmergeable is fail/.test(message)) {
        code.rebase(issue);
        await worker.say('push', {});
      } else if (/(?:tests_passed|review_approved|retro_done) is fail|ci=failing/.test(message)) {
        return message;
      } else if (!/ is unknown|ci=pending/.test(message)) {
        throw error;
      }
      await worker.pause(MERGE_RETRY_UNIT_MS, 2 * MERGE_RETRY_UNIT_MS);
    }
  }
}

/** Time that a worker waits for a response. */
const ANSWER_TIMEOUT_MS = 30_000;

/** `daemon` is the daemon that responds at the legion's address. */
export async function sendVerb(
  world: SimWorld,
  daemon: SimDaemon | undefined,
  process: SimProcess,
  verb: VerbName,
  input: object,
): Promise<SimVerbAnswer> {
  const { env, worker, attempt } = process.order;
  const { LEGION_ISSUE: issue = '', LEGION_MODE: mode } = env;
  const sender = { issue, mode: mode as Mode, attempt };
  const message = {
    who: sender,
    worker,
    verb,
    input,
    message: `${worker}/${attempt}/${world.random.next()}`,
  };
  const answer = daemon === undefined ? 'away' : await askDaemon(world, daemon, message);
  if (answer !== 'away') {
    if (verb === 'done' && answer.durable === true)
      world.rules.journal.checkAcknowledgedReport(worker, attempt);
    if (verb === 'done' || verb === 'error') world.outboxes.flag(message, world.time.now());
    return answer;
  }
  if (!VERBS_KEPT_OFFLINE.includes(verb))
    throw new LegionError('speech.daemon_away', 'no daemon is responding');
  world.rules.countFault('message kept in the outbox');
  world.outboxes.store(message, world.time.now());
  return { durable: true };
}

async function askDaemon(
  { time }: SimWorld,
  { workerApi, process: daemonProcess }: SimDaemon,
  { who, verb, input, message }: SimMessage,
): Promise<SimVerbAnswer | 'away'> {
  const timeout = time.sleep(ANSWER_TIMEOUT_MS).then(() => 'away' as const);
  const deliver = async () => {
    // The kernel accepts the message while the daemon is frozen, and the daemon reads it when it
    // resumes.
    await daemonProcess.frozen;
    try {
      return (await workerApi.handleVerb(who, verb, input, message)) as SimVerbAnswer;
    } finally {
      await daemonProcess.frozen;
      if (!daemonProcess.isAlive) await waitForever();
    }
  };
  return Promise.race([deliver(), timeout]);
}
