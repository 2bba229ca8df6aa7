/** The page of one issue. Each of its tabs has its own address. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useParams } from 'wouter';
import type { IssueDetail } from '../../../../src/protocol/endpoints/issues.ts';
import type { IssueDiff } from '../../../../src/protocol/repository.ts';
import { healthQuery, workersQuery } from '../../api/queries.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useShortcut } from '../../keys/shortcuts.tsx';
import { setFields, useQueryFields } from '../../router/location.ts';
import { toPlainText } from '../../text/plain.ts';
import { ActionBar } from './actions/action-bar.tsx';
import { listAvailableActions } from './actions/available-actions.ts';
import { type IssueActions, useActions } from './actions/use-actions.ts';
import { AttemptsTab } from './attempts/attempts-tab.tsx';
import { CiTab } from './ci/ci-tab.tsx';
import { DiffView } from './diff/diff-view.tsx';
import { DiscussionTab } from './discussion/discussion-tab.tsx';
import { GatesTab } from './gates/gates-tab.tsx';
import { HandoffsTab } from './handoffs/handoffs-tab.tsx';
import { IssueHeader } from './header/issue-header.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { StatusCard, type StatusCardProps } from './overview/status-card.tsx';
import { findWaitEndingAction } from './overview/wait-ending-action.ts';
import { createDetailQuery, createDiffQuery, explainQuery } from './queries.ts';
import { useRefreshOnEvents } from './refresh-on-events.ts';
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
  useRefreshOnEvents(id);
  const { data: detail, error, refetch } = useDetail(id);
  const tab = readTab(useQueryFields());
  const actions = useActions(id);
  const { available, status } = useStatus(id, detail, actions);
  useEffect(() => {
    // Scrolls to the selected tab, because on a phone the row of tabs is wider than the window.
    const position = 1 + TABS.findIndex((each) => each.id === tab);
    const chosen = document.querySelector(`.issue-page .tab:nth-child(${position})`);
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  if (detail === undefined && error !== null) {
    return <UnreadableIssue id={id} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={`page issue-page ${FILLING.has(tab) ? 'is-filling' : ''}`}>
      <PageTitle of={detail === undefined ? id : `${id} ${toPlainText(detail.issue.title)}`} />
      <IssueHeader
        id={id}
        detail={detail}
        actions={
          <ActionBar id={id} detail={detail} available={available} end={status.end} actions={actions} />
        }
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

/**
 * Returns the available actions, the explanation of the current state, and the action that ends the
 * wait.
 */
function useStatus(id: string, detail: IssueDetail | undefined, { perform, isBusy }: IssueActions) {
  const { data: explanation, error } = useQuery(explainQuery(id));
  const { data: health } = useQuery(healthQuery);
  const isAutomatic = health?.autoAdvance ?? true;
  const available =
    detail === undefined
      ? []
      : listAvailableActions(detail, {
          hasQuestion: (explanation?.openQuestions.length ?? 0) > 0,
          isLegionHeld: health?.starts.allowed === false,
        });
  const end = findWaitEndingAction(available, explanation?.state, isAutomatic);
  return { available, status: { explanation, error, end, isAutomatic, isBusy, onPerform: perform } };
}

/** Adds a history entry, so that Back returns to the previous tab. */
function choose(tab: string): void {
  setFields({ tab: tab === 'issue' ? null : tab }, { replace: false });
}

function TabKey({ number, tab }: { readonly number: number; readonly tab: (typeof TABS)[number] }) {
  useShortcut({
    keys: String(number),
    label: tab.label,
    group: 'Issue tabs',
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

/** Returns the issue, with its workers updated at every event. */
function useDetail(id: string) {
  const { data, error, refetch } = useQuery(createDetailQuery(id));
  // Workers are refetched at every event, which costs little because the daemon has them in memory.
  const { data: workers } = useQuery(workersQuery);
  const detail = useMemo(() => {
    const own = workers?.filter(({ issue }) => issue === data?.issue.id) ?? [];
    return data === undefined || own.length === 0 ? data : { ...data, workers: own };
  }, [data, workers]);
  return { data: detail, error, refetch };
}

/** The changes made for an issue: its files with all changed lines. */
function DiffTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(createDiffQuery(id));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={12} />;
    return <ErrorState title="The changes could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (data.files.length > 0) return <DiffView diff={data} />;
  return (
    <EmptyState icon="pull" title={TITLES[data.of]}>
      {toPlainText(data.says)}
    </EmptyState>
  );
}

const TITLES: Readonly<Record<IssueDiff['of'], string>> = {
  pull_request: 'The pull request changes nothing',
  workspace: 'The workspace has no changes',
  nothing: 'Nothing to compare yet',
};
