import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ChoiceCards } from '../../../components/choice-cards.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Page } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { atLeast, useWorkspace } from '../../../data/workspace.ts'
import { checkAnswers, type Issues } from '../model/check.ts'
import { type Answers, type Goal, usualAnswers } from '../model/goal.ts'
import { goals } from '../model/goals/index.ts'
import { notSeenBy, planWatches } from '../model/plan.ts'
import { type CoreAction, type Source, sortSources } from '../model/source.ts'
import { AnswerFields } from '../questions/answer-fields.tsx'
import { NetworkSelect } from '../questions/network-select.tsx'
import { Question } from '../questions/question.tsx'
import { SubjectField } from '../questions/subject-field.tsx'
import { WhereTo } from '../questions/where-to.tsx'
import { LiveResult } from '../result/live-result.tsx'
import { Summary } from '../result/summary.tsx'
import { useGoLive } from '../result/use-go-live.ts'
import classes from '../watch.module.css'
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

type GoalFormProps = {
  goal: Goal
  sources: Source[]
  actions: CoreAction[]
  /** What the first question starts with. */
  start: { source?: string; subject?: string }
}

function GoalForm({ goal, sources, actions, start: given }: GoalFormProps) {
  const form = useGoalForm(goal, sources, given)
  const [resources, setResources] = useState<string[]>([])
  const live = useGoLive()
  const { answers, change, choice, choices, subject, issues } = form
  if (!answers || !choice || !subject) return null
  const sentence = choice.says(answers, answers.subject === '' ? '…' : answers.subject)
  const source = answers.source
  if (live.data)
    return <LiveResult live={live.data} sentence={`When ${sentence} on ${source.title}.`} source={source} />
  const start = () => {
    if (form.check()) live.mutate({ watches: () => planWatches(choice, answers, actions), resources })
  }
  return (
    <div className={classes.columns}>
      <div className={classes.questions}>
        <Question number={1} title="What">
          <NetworkSelect sources={sources} value={answers.source} onChange={form.setSource} />
          <SubjectField
            subject={subject}
            source={answers.source}
            hasFeeds={goal.name === 'price'}
            value={answers.subject}
            onChange={(text) => change({ subject: text })}
            error={issues.subject}
          />
        </Question>
        <Question number={2} title="When">
          <ChoiceCards label="Tell me about" choices={choices} value={choice.value} onChange={form.setChoice} />
          <AnswerFields choice={choice} answers={answers} onChange={change} issues={issues} />
        </Question>
        <Question number={3} title="Destination">
          <WhereTo value={resources} onChange={setResources} />
        </Question>
      </div>
      <Summary
        sentence={`When ${sentence} on ${source.title}`}
        source={source}
        resources={resources}
        notSeen={notSeenBy(choice, answers, actions)}
        isStarting={live.isPending}
        error={live.error}
        made={live.made}
        start={start}
      />
    </div>
  )
}

function useGoalForm(goal: Goal, sources: Source[], start: GoalFormProps['start']) {
  const [source, setSource] = useState(sources.find(({ fullname }) => fullname === start.source) ?? sources[0])
  const [given, setGiven] = useState<Partial<Answers>>({ subject: start.subject ?? '' })
  const [chosen, setChosen] = useState<string>()
  const [issues, setIssues] = useState<Issues>({})
  const { subject, choices = [] } = (source && goal.kinds[source.kind]) ?? {}
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0]
  const answers = source && { ...usualAnswers, ...choice?.initial, ...given, source }
  return {
    ...{ answers, subject, choice, choices, issues },
    setSource: (next: Source) => {
      setSource(next)
      setIssues({})
    },
    setChoice: (value: string) => {
      setChosen(value)
      setIssues({})
    },
    change: (part: Partial<Answers>) => {
      setGiven((before) => ({ ...before, ...part }))
      setIssues({})
    },
    /** True if there are no issues. */
    check: () => {
      if (!answers || !subject || !choice) return false
      const found = checkAnswers(subject, choice, answers)
      setIssues(found)
      return Object.keys(found).length === 0
    },
  }
}
