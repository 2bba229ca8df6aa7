/** The page of one issue: what it is, and everything there is to know about it, each part at an address of its own. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useParams } from 'wouter';
import type { Diff } from '../../../../src/protocol/dashboard.ts';
import type { IssueDetail } from '../../../../src/protocol/endpoints/issues.ts';
import { healthQuery, workersQuery } from '../../api/queries.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useShortcut } from '../../keys/shortcuts.tsx';
import { setFields, useQueryFields } from '../../router/location.ts';
import { plain } from '../../text/plain.ts';
import { ActionBar } from './actions/action-bar.tsx';
import { offersOf } from './actions/available-actions.ts';
import { type Deeds, useDeeds } from './actions/use-actions.ts';
import { AttemptsTab } from './attempts/attempts-tab.tsx';
import { CiTab } from './ci/ci-tab.tsx';
import { DiffView } from './diff/diff-view.tsx';
import { DiscussionTab } from './discussion/discussion-tab.tsx';
import { GatesTab } from './gates/gates-tab.tsx';
import { HandoffsTab } from './handoffs/handoffs-tab.tsx';
import { IssueHeader } from './header/issue-header.tsx';
import { useKeptCurrent } from './keep-current.ts';
import { endOfWait } from './overview/end-of-wait.ts';
import { OverviewTab } from './overview/overview-tab.tsx';
import { StatusCard, type StatusCardProps } from './overview/status-card.tsx';
import { detailQuery, diffQuery, explainQuery } from './queries.ts';
import { StoryTab } from './story/story-tab.tsx';
import { FILLING, readTab, TABS, type TabId } from './tabs.ts';
import { TranscriptTab } from './transcript/transcript-tab.tsx';
import { UnreadableIssue } from './unreadable-issue.tsx';
import '../../styles/issue.css';
import '../../styles/issue-parts.css';
import '../../styles/issue-transcript.css';
import '../../styles/issue-diff.css';

export function IssuePage() {
  const id = decodeId(useParams<{ id: string }>().id);
  useKeptCurrent(id);
  const { data: detail, error, refetch } = useDetail(id);
  const tab = readTab(useQueryFields());
  const deeds = useDeeds(id);
  const { offers, status } = useStatus(id, detail, deeds);
  useEffect(() => {
    // On a phone the row of tabs is wider than the window.
    const place = 1 + TABS.findIndex((each) => each.id === tab);
    const chosen = document.querySelector(`.issue-page .tab:nth-child(${place})`);
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  if (detail === undefined && error !== null) {
    return <UnreadableIssue id={id} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={`page issue-page ${FILLING.has(tab) ? 'is-filling' : ''}`}>
      <PageTitle of={detail === undefined ? id : `${id} ${plain(detail.issue.title)}`} />
      <IssueHeader
        id={id}
        detail={detail}
        actions={<ActionBar id={id} detail={detail} offers={offers} end={status.end} deeds={deeds} />}
      />
      {tab !== 'issue' && <StatusCard {...status} />}
      {TABS.map((each, index) => (
        <TabKey key={each.id} number={index + 1} tab={each} />
      ))}
      <Tabs name={`Parts of ${id}`} tabs={TABS} chosen={tab} onChoose={choose}>
        <Part tab={tab} id={id} detail={detail} status={status} />
      </Tabs>
    </div>
  );
}

/** What can be done with the issue, why it is where it is, and which of these ends that. */
function useStatus(id: string, detail: IssueDetail | undefined, { perform, isBusy }: Deeds) {
  const { data: explanation, error } = useQuery(explainQuery(id));
  const { data: health } = useQuery(healthQuery);
  const isAutomatic = health?.autoAdvance ?? true;
  const offers =
    detail === undefined
      ? []
      : offersOf(detail, {
          hasQuestion: (explanation?.openQuestions.length ?? 0) > 0,
          isLegionHeld: health?.starts.allowed === false,
        });
  const end = endOfWait(offers, explanation?.state, isAutomatic);
  return { offers, status: { explanation, error, end, isAutomatic, isBusy, onPerform: perform } };
}

/** A step of the history, so that the way back leads through the parts one has seen. */
function choose(tab: string): void {
  setFields({ tab: tab === 'issue' ? null : tab }, { replace: false });
}

function TabKey({ number, tab }: { readonly number: number; readonly tab: (typeof TABS)[number] }) {
  useShortcut({
    keys: String(number),
    says: tab.says,
    group: 'Parts of an issue',
    run: () => choose(tab.id),
  });
  return null;
}

function Part({
  tab,
  id,
  detail,
  status,
}: {
  readonly tab: TabId;
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly status: StatusCardProps;
}) {
  switch (tab) {
    case 'issue':
      return <OverviewTab id={id} detail={detail} status={status} />;
    case 'timeline':
      return <StoryTab id={id} />;
    case 'transcript':
      return <TranscriptTab workers={detail?.workers} />;
    case 'diff':
      return <DiffTab id={id} />;
    case 'ci':
      return <CiTab id={id} />;
    case 'gates':
      return <GatesTab id={id} />;
    case 'handoffs':
      return <HandoffsTab id={id} />;
    case 'attempts':
      return <AttemptsTab id={id} />;
    case 'discussion':
      return <DiscussionTab detail={detail} />;
  }
}

/** An address typed by hand may be malformed; the page then reports an unknown issue. */
function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The issue as it is, with its workers as they are this very second. */
function useDetail(id: string) {
  const { data, error, refetch } = useQuery(detailQuery(id));
  // The daemon knows its workers without asking anybody, so that these may be asked for at every event.
  const { data: workers } = useQuery(workersQuery);
  const detail = useMemo(() => {
    const its = workers?.filter(({ issue }) => issue === data?.issue.id) ?? [];
    return data === undefined || its.length === 0 ? data : { ...data, workers: its };
  }, [data, workers]);
  return { data: detail, error, refetch };
}

/** What an issue's work changes: its files, and every line of them. */
function DiffTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(diffQuery(id));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={12} />;
    return <ErrorState title="The changes could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (data.files.length > 0) return <DiffView diff={data} />;
  return (
    <EmptyState icon="pull" title={TITLES[data.of]}>
      {plain(data.says)}
    </EmptyState>
  );
}

const TITLES: Readonly<Record<Diff['of'], string>> = {
  pull_request: 'The pull request changes nothing',
  workspace: 'The workspace has no changes',
  nothing: 'Nothing to compare yet',
};
