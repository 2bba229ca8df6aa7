/** Handoffs from each phase to later ones. A plan is shown as a list of steps. */
import { useQuery } from '@tanstack/react-query';
import { PHASES, type Phase } from '../../../../../src/core/model/mode.ts';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/states.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { createHandoffsQuery } from '../queries.ts';
import { Steps } from './steps.tsx';
import { Terms, ValueView } from './value-view.tsx';

export function HandoffsTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(createHandoffsQuery(id));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={8} />;
    return <ErrorState title="The handoffs could not be read" error={error} onRetry={() => void refetch()} />;
  }
  const written = PHASES.filter((phase) => data.handoffs[phase] !== undefined);
  if (written.length === 0) {
    return (
      <EmptyState icon="issue" title="No handoffs yet">
        Each phase leaves a handoff for the next one: the plan and its steps, decisions, and open work.
      </EmptyState>
    );
  }
  return (
    <div className="handoffs">
      {written.map((phase) => (
        <Handoff key={phase} phase={phase} content={data.handoffs[phase]} />
      ))}
    </div>
  );
}

function Handoff({ phase, content }: { readonly phase: Phase; readonly content: unknown }) {
  const { summary, details, ...lists } = toFields(content);
  const { steps, ...otherFields } = toFields(details);
  const filled = Object.entries(lists).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  const hasDetails = details !== undefined && !isObject(details);
  return (
    <section className="panel" aria-labelledby={`handoff-${phase}`}>
      <h2 id={`handoff-${phase}`} className="panel-head handoff-phase">
        {phase}
      </h2>
      {typeof summary === 'string' && <Markdown text={summary} under={2} />}
      {!isObject(content) && <Prose of={content} />}
      {Array.isArray(steps) && steps.length > 0 && (
        <>
          <h3>Steps</h3>
          <Steps of={steps} />
        </>
      )}
      {filled.length > 0 && <Terms of={filled.map(([name, value]) => [NAMES[name] ?? name, value])} />}
      {Object.keys(otherFields).length > 0 && <Terms of={Object.entries(otherFields)} />}
      {hasDetails && <Prose of={details} />}
    </section>
  );
}

/**
 * Renders a text as Markdown. Strings inside other values, such as file paths, are not rendered as
 * Markdown.
 */
function Prose({ of }: { readonly of: unknown }) {
  return typeof of === 'string' ? <Markdown text={of} under={2} /> : <ValueView value={of} />;
}

const NAMES: Readonly<Record<string, string>> = {
  decided: 'Decided',
  done: 'Done',
  left: 'Left to do',
  files: 'Files',
  tests: 'Tests',
};

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
