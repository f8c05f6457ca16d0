import { useParams, useSearch } from '@tanstack/react-router'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/link-text.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Page } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import type { Goal } from '../model/goal.ts'
import { goals } from '../model/goals/index.ts'
import { sortSources } from '../model/source.ts'
import { GoalForm } from './goal-form.tsx'
import { NoSource } from './no-source.tsx'

/** Three questions and one button that lead from a goal to a live subscription. */
export function GoalPage() {
  const { goal: name } = useParams({ from: '/shell/w/$workspace/watch/$goal' })
  const { fullname: workspace, level } = useWorkspace()
  const goal = goals.find((one) => one.name === name)
  return (
    <Page
      title={goal?.title ?? 'Unknown goal'}
      {...(goal && { about: goal.note === undefined ? goal.about : `${goal.about}. ${goal.note}` })}
      breadcrumb={
        <LinkText to="/w/$workspace/watch" params={{ workspace }}>
          Watch
        </LinkText>
      }
    >
      {!goal && <Notice tone="warn" title={`There is no goal named ${name}. Choose one under Watch.`} />}
      {goal && !atLeast(level, 'developer') && (
        <Notice tone="warn" title="You need the role developer in this workspace. Ask an owner or admin for it." />
      )}
      {goal && atLeast(level, 'developer') && <GoalBody key={goal.name} goal={goal} />}
    </Page>
  )
}

function GoalBody({ goal }: { goal: Goal }) {
  const sources = useApiList('listRuntimeSources', {})
  const actions = useApiQuery('listCoreActions', {})
  const start = useSearch({ from: '/shell/w/$workspace/watch/$goal' })
  const error = sources.error ?? actions.error
  if (error && (sources.items.length === 0 || !actions.data))
    return <ErrorNotice error={error} retry={sources.reload} />
  if (sources.isLoading || !actions.data) return <PageLoading />
  const usable = sortSources(sources.items).filter(({ kind }) => goal.kinds[kind] !== undefined)
  if (usable.length === 0) return <NoSource kinds={Object.keys(goal.kinds)} />
  return <GoalForm goal={goal} sources={usable} actions={actions.data.actions} start={start} />
}
