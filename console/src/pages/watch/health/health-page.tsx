import { useState } from 'react'
import { ChoiceCards } from '../../../components/choice-cards.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Page } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { atLeast, useWorkspace } from '../../../data/workspace.ts'
import { backendOf } from '../../../layouts/new-trigger.ts'
import { healthTexts } from '../../../layouts/watch/goal-texts.ts'
import { healthNoun } from '../../../sentences/when-words.ts'
import type { Watch } from '../model/plan.ts'
import type { CoreAction } from '../model/source.ts'
import { Question } from '../questions/question.tsx'
import { WhereTo } from '../questions/where-to.tsx'
import { LiveResult } from '../result/live-result.tsx'
import { Summary } from '../result/summary.tsx'
import { useGoLive } from '../result/use-go-live.ts'
import classes from '../watch.module.css'

/** Two questions that lead to a subscription to the workspace's own health. */
export function HealthPage() {
  const { fullname: workspace, level } = useWorkspace()
  const { data, error } = useApiQuery('listCoreActions', {})
  const isAllowed = atLeast(level, 'developer')
  const actions = data?.actions.filter(({ stream }) => stream?.name === 'health') ?? []
  return (
    <Page
      title={healthTexts.title}
      about={healthTexts.about}
      breadcrumb={
        <LinkText to="/w/$workspace/watch" params={{ workspace }}>
          Watch
        </LinkText>
      }
    >
      {!isAllowed && (
        <Notice tone="warn" title="You need the role developer in this workspace. Ask an owner or admin for it." />
      )}
      <ErrorNotice error={error} />
      {isAllowed && !data && !error && <PageLoading />}
      {isAllowed && actions.length > 0 && <HealthForm actions={actions} />}
    </Page>
  )
}

function HealthForm({ actions }: { actions: CoreAction[] }) {
  const { fullname: workspace } = useWorkspace()
  const [chosen, setChosen] = useState(actions[0]?.type ?? '')
  const [resources, setResources] = useState<string[]>([])
  const live = useGoLive()
  const action = actions.find(({ type }) => type === chosen)
  if (!action) return null
  const sentence = `When a ${healthNoun(action.stream?.values)} of ${workspace} stops or recovers`
  if (live.data) return <LiveResult live={live.data} sentence={`${sentence}.`} />
  const choices = actions.map(({ type, title, description }) => ({ value: type, label: title, about: description }))
  return (
    <div className={classes.columns}>
      <div className={classes.questions}>
        <Question number={1} title="When">
          <ChoiceCards label="Tell me about" choices={choices} value={chosen} onChange={setChosen} />
        </Question>
        <Question number={2} title="Destination">
          <WhereTo value={resources} onChange={setResources} />
        </Question>
      </div>
      <Summary
        sentence={sentence}
        resources={resources}
        notSeen={action.notSeen}
        isStarting={live.isPending}
        error={live.error}
        made={live.made}
        start={() => live.mutate({ watches: () => [watchOf(action, workspace)], resources })}
      />
    </div>
  )
}

function watchOf(action: CoreAction, workspace: string): Watch {
  const { title, description, inputs, filtersSchema, outputSchema, transform, defaults, triggerSpec } = action
  return {
    title,
    trigger: {
      ...{ inputs, filtersSchema, outputSchema, triggerSpec },
      ...(transform && { transform }),
      ...(defaults && { defaults }),
      backend: backendOf(action, workspace),
      meta: { title, description },
    },
    inputs: {},
    policy: null,
  }
}
